import { randomUUID } from "node:crypto";
import { closeSync, openSync, readSync, unlinkSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Memory, where there is such a place that everybody may use; a disk has more to do for a new file. */
const MEMORY = "/dev/shm";
const READ_BYTES = 4096;

/**
 * A descriptor of a new file that has no name any more: gone with its last holder, and never seen by anybody else. Reading starts at the
 * beginning of `content`. Throws the file system's error.
 */
export function openUnnamedFile(content: string | Uint8Array = ""): number {
	const name = `robot-lab-${randomUUID()}`;
	try {
		return makeUnnamedFile(join(MEMORY, name), content);
	} catch {
		return makeUnnamedFile(join(tmpdir(), name), content);
	}
}

function makeUnnamedFile(path: string, content: string | Uint8Array): number {
	const fd = openSync(path, "wx+", 0o600);
	try {
		unlinkSync(path);
		writeAll(fd, typeof content === "string" ? Buffer.from(content) : content);
		return fd;
	} catch (error) {
		closeSync(fd);
		throw error;
	}
}

/** One for all: what is read into it is text before anything else is read. */
const shared = Buffer.allocUnsafeSlow(READ_BYTES);

/** The start of what the file holds now, wherever its holders read and write. */
export function readStart(fd: number): string {
	return shared.toString("utf8", 0, readSync(fd, shared, 0, READ_BYTES, 0));
}

/** Writes at positions of its own, which leaves the descriptor's at the beginning. */
function writeAll(fd: number, bytes: Uint8Array): void {
	for (let written = 0; written < bytes.length; ) written += writeSync(fd, bytes, written, bytes.length - written, written);
}

const kept = new Map<string, number>();

/** A descriptor for reading bytes that many runs need: they are written once in a process, and each run reads them for itself. */
export function openKeptFile(key: string, content: () => string | Uint8Array): number {
	let file = kept.get(key);
	if (file === undefined) {
		file = openUnnamedFile(content());
		kept.set(key, file);
	}
	return openSync(`/proc/self/fd/${file}`, "r");
}
