import { fileURLToPath } from "node:url";
import { ConfigurationError } from "../errors/configuration-error.js";
import { StreamError } from "../errors/stream-error.js";

/** The path of a file that was named. `undefined` for what is no name of a file. Throws ConfigurationError for a URL that is no `file:`. */
export function pathOf(named: unknown): string | undefined {
	if (typeof named === "string") return named;
	if (!(named instanceof URL)) return undefined;
	if (named.protocol === "file:") return fileURLToPath(named);
	throw new ConfigurationError(`Events are in files, and ${JSON.stringify(named.href)} is no file: URL. Give a path, or a stream.`);
}

/** What the system said of a file, as an error that names the next step. */
export function fileFailure(code: "stream_unreadable" | "stream_unwritable", what: string, cause: unknown): StreamError {
	const { code: word = "", message = String(cause) } = (cause ?? {}) as { readonly code?: string; readonly message?: string };
	return new StreamError(code, `${what}: ${NEXT_STEPS[word] ?? `${message}.`}`, { cause });
}

const NEXT_STEPS: Readonly<Record<string, string>> = {
	ENOENT: "there is no such file or directory. Check the path, and create the directory first.",
	ENOTDIR: "what should be a directory on the way to it is a file. Check the path.",
	EISDIR: "it is a directory. Give the path of a file in it.",
	EACCES: "this user may not. Check whose it is.",
	EPERM: "this user may not. Check whose it is.",
	EROFS: "the file system is read-only. Choose another place.",
	ENOSPC: "the disk is full. What was written before is in it; make room.",
	EPIPE: "nobody reads it any more.",
	EEXIST:
		'it is there already, and a file holds one run. Choose another name, or hand over a stream that appends: createWriteStream(path, { flags: "a" }).',
};
