import { closeSync, constants, fstatSync, open, read } from "node:fs";
import { assertOpenedWithin } from "../script/opened-within.js";
import { NotAFileError } from "../script/read-file-start.js";
import type { SkillDiagnostic } from "./skill-diagnostic.js";
import { SkillInvalidError } from "./skill-invalid-error.js";

const MAX_BYTES = 1024 * 1024;
const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * The text of a SKILL.md. Never waits for a FIFO's writer, and never reads a device. Rejects with the file system's error, with a
 * NotAFileError, with a SkillInvalidError where the file is too large or no text, or with a LeadsOutError where it lies outside of `within`, a
 * directory's real path; without one it may lie anywhere.
 *
 * A catalog reads thousands of them: what asks an open file is done at once, and only opening and reading wait for the disk. It takes half the
 * time of a `FileHandle`.
 */
export async function readSkillFile(path: string, within?: string): Promise<string> {
	const file = await opened(path);
	try {
		const stats = fstatSync(file);
		if (!stats.isFile()) throw new NotAFileError(`${JSON.stringify(path)} is ${stats.isDirectory() ? "a directory" : "no ordinary file"}`);
		if (within !== undefined) await assertOpenedWithin(file, path, within);
		if (stats.size > MAX_BYTES)
			throw invalid("file_too_large", `it is larger than ${MAX_BYTES} bytes. Move parts of it into files of the bundle.`, path);
		const bytes = await filled(file, Buffer.allocUnsafe(stats.size));
		return decoded(bytes, path);
	} finally {
		closeSync(file);
	}
}

function opened(path: string): Promise<number> {
	return new Promise((resolve, reject) => {
		open(path, constants.O_RDONLY | constants.O_NONBLOCK, (error, file) => (error ? reject(error) : resolve(file)));
	});
}

/** As much of the buffer as the file still fills: it may have become shorter. */
async function filled(file: number, buffer: Buffer): Promise<Buffer> {
	let length = 0;
	while (length < buffer.length) {
		const more = await readAt(file, buffer, length);
		if (more === 0) break;
		length += more;
	}
	return buffer.subarray(0, length);
}

function readAt(file: number, buffer: Buffer, at: number): Promise<number> {
	return new Promise((resolve, reject) => {
		read(file, buffer, at, buffer.length - at, at, (error, bytesRead) => (error ? reject(error) : resolve(bytesRead)));
	});
}

function decoded(bytes: Buffer, path: string): string {
	try {
		return UTF8.decode(bytes);
	} catch (cause) {
		throw invalid("file_not_text", "it is not UTF-8 text. Save it as UTF-8.", path, cause);
	}
}

function invalid(code: string, message: string, path: string, cause?: unknown): SkillInvalidError {
	const diagnostic: SkillDiagnostic = Object.freeze({ severity: "error", code, message: `I${message.slice(1)}`, path });
	return new SkillInvalidError(message, [diagnostic], { cause });
}
