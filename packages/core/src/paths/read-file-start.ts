import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { assertOpenedWithin } from "./opened-within.js";

/** The beginning of a file, and how long the whole is said to be. */
export interface FileStart {
	readonly bytes: Buffer;
	readonly size: number;
}

/** Thrown for something that has a name like a file's and is none: a directory, a FIFO, a device. */
export class NotAFileError extends Error {
	readonly code = "not_a_file";
}

/**
 * The first `maxBytes` of a regular file. Never waits for a FIFO's writer, and never reads a device. Throws the file system's error, or a
 * {@link NotAFileError}.
 *
 * At once and not by the system's threads: for the few kilobytes that are read of a script or of a SKILL.md, handing each call over takes three times as
 * long as the call. Who reads many gives way in between, as `mapConcurrently` does.
 *
 * @param within A directory's real path; for a file that turns out to lie elsewhere once it is open it throws a LeadsOutError. Default: it may lie anywhere.
 */
export function readFileStart(path: string, maxBytes: number, within?: string): FileStart {
	const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
	try {
		const stats = fstatSync(file);
		if (!stats.isFile()) throw new NotAFileError(`${JSON.stringify(path)} is ${stats.isDirectory() ? "a directory" : "no ordinary file"}`);
		if (within !== undefined) assertOpenedWithin(file, path, within);
		// not of a pool: who keeps these bytes keeps no others
		return { bytes: filled(file, Buffer.allocUnsafeSlow(Math.min(maxBytes, stats.size))), size: stats.size };
	} finally {
		closeSync(file);
	}
}

/** As much of the buffer as the file still fills: it may have become shorter. */
function filled(file: number, buffer: Buffer): Buffer {
	let length = 0;
	while (length < buffer.length) {
		const more = readSync(file, buffer, length, buffer.length - length, length);
		if (more === 0) break;
		length += more;
	}
	return buffer.subarray(0, length);
}
