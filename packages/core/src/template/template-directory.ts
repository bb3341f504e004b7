import { closeSync, constants, fstatSync, openSync, readdirSync, readSync } from "node:fs";
import { join } from "node:path";
import { ConfigurationError } from "../errors/configuration-error.js";
import { absolutePath } from "../paths/expand-path.js";
import { realPath } from "../paths/real-path.js";
import { isAtOrBelow } from "../paths/segments.js";
import { isTemplateId } from "./template-id.js";

const MAX_BYTES = 256 * 1024;
const MAX_LISTED = 1000;
const MAX_LEVELS = 8;

/** The files of templates. Reads synchronously, when it is asked, and keeps nothing. */
export class TemplateDirectory {
	/** Absolute. */
	readonly path: string;

	/** `~` is expanded; a relative path is below the working directory of now. Throws a ConfigurationError where there is no home directory. */
	constructor(path: string) {
		try {
			this.path = absolutePath(path);
		} catch (cause) {
			throw new ConfigurationError(`The template directory ${JSON.stringify(path)} cannot be found: ${(cause as Error).message}`, {
				cause,
			});
		}
	}

	/**
	 * The text of a template; nothing when there is none of that id, or when the id can be none. Throws a ConfigurationError, which says what is
	 * wrong without the file's name, for a file that is elsewhere by a link, is none, is too large or is no UTF-8, and the file system's error.
	 */
	read(id: string): string | undefined {
		if (!isTemplateId(id)) return undefined;
		const file = this.#find(this.file(id));
		return file === undefined ? undefined : readText(file);
	}

	/** Where a template of that id lies or would lie. */
	file(id: string): string {
		return join(this.path, `${id}.md`);
	}

	/** The ids of the templates there are, at most a thousand of them, no deeper than 8 directories. Empty when the directory cannot be read. */
	ids(): readonly string[] {
		const ids: string[] = [];
		const list = (below: string, level: number): void => {
			for (const entry of entriesOf(join(this.path, below))) {
				if (ids.length === MAX_LISTED) return;
				const path = `${below}${entry.name}`;
				if (entry.isDirectory() && level < MAX_LEVELS && isTemplateId(path)) list(`${path}/`, level + 1);
				else if (!entry.isDirectory() && path.endsWith(".md") && isTemplateId(path.slice(0, -3))) ids.push(path.slice(0, -3));
			}
		};
		list("", 1);
		return ids.sort();
	}

	/** Where the file really is; nothing when there is none. */
	#find(file: string): string | undefined {
		const [real, root] = [realPath(file), realPath(this.path)];
		if (isAtOrBelow(real, root)) return real;
		throw new ConfigurationError(`it is a link out of the template directory, to ${JSON.stringify(real)}. Put the file itself there.`);
	}
}

function entriesOf(directory: string) {
	try {
		return readdirSync(directory, { withFileTypes: true });
	} catch {
		return [];
	}
}

function readText(file: string): string | undefined {
	const bytes = readBytes(file);
	if (bytes === undefined) return undefined;
	if (bytes.length > MAX_BYTES) throw new ConfigurationError(`it is larger than ${MAX_BYTES / 1024} KiB. Make several templates of it.`);
	try {
		return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
	} catch (cause) {
		throw new ConfigurationError("it is not UTF-8 text. Save it as UTF-8.", { cause });
	}
}

/** As much as is taken, and a byte more where there is more. */
function readBytes(file: string): Uint8Array | undefined {
	const descriptor = openFile(file);
	if (descriptor === undefined) return undefined;
	try {
		if (!fstatSync(descriptor).isFile()) throw new ConfigurationError("it is not a file. Put a Markdown file there.");
		const bytes = new Uint8Array(MAX_BYTES + 1);
		for (let length = 0; ; ) {
			const count = readSync(descriptor, bytes, length, bytes.length - length, null);
			length += count;
			if (count === 0 || length === bytes.length) return bytes.subarray(0, length);
		}
	} finally {
		closeSync(descriptor);
	}
}

function openFile(file: string): number | undefined {
	try {
		// not blocking: a FIFO would be waited for without end. Not through a link: where links lead was looked at already
		return openSync(file, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
	} catch (error) {
		const { code } = error as NodeJS.ErrnoException;
		if (code === "ENOENT" || code === "ENOTDIR") return undefined;
		throw error;
	}
}
