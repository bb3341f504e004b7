import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
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
 * The first `maxBytes` of a regular file. Never waits for a FIFO's writer, and never reads a device. Rejects with the file
 * system's error, or with a {@link NotAFileError}.
 *
 * @param within A directory's real path; a file that turns out to lie elsewhere once it is open rejects with a LeadsOutError. Default: it may lie anywhere.
 */
export async function readFileStart(path: string, maxBytes: number, within?: string): Promise<FileStart> {
	const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
	try {
		const stats = await file.stat();
		if (!stats.isFile()) throw new NotAFileError(`${JSON.stringify(path)} is ${stats.isDirectory() ? "a directory" : "no ordinary file"}`);
		if (within !== undefined) await assertOpenedWithin(file.fd, path, within);
		return { bytes: await fill(file, Math.min(maxBytes, stats.size)), size: stats.size };
	} finally {
		await file.close();
	}
}

async function fill(file: FileHandle, length: number): Promise<Buffer> {
	const bytes = Buffer.alloc(length);
	let filled = 0;
	while (filled < length) {
		const { bytesRead } = await file.read(bytes, filled, length - filled, filled);
		if (bytesRead === 0) break;
		filled += bytesRead;
	}
	return bytes.subarray(0, filled);
}
