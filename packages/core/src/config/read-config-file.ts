import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, type Stats } from "node:fs";
import { ConfigurationError } from "../errors/configuration-error.js";

const MAX_BYTES = 64 * 1024;

/** The text of a file; nothing when there is none. Throws a ConfigurationError for what is there and cannot be read as a text of at most 64 KiB. */
export function readConfigFile(path: string): string | undefined {
	const descriptor = openFile(path);
	if (descriptor === undefined) return undefined;
	try {
		checkKind(path, fstatSync(descriptor));
		return textOf(path, readBytes(descriptor));
	} catch (error) {
		throw ConfigurationError.isInstance(error) ? error : unreadable(path, error);
	} finally {
		closeSync(descriptor);
	}
}

function openFile(path: string): number | undefined {
	try {
		// Not blocking: a FIFO in a project that somebody else made would be waited for without end.
		return openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
	} catch (error) {
		if (!isMissing(error)) throw unreadable(path, error);
		if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return undefined;
		throw new ConfigurationError(`The configuration file ${path} is a link to something that is not there. Mend the link or remove it.`);
	}
}

function checkKind(path: string, stats: Stats): void {
	const kind = stats.isFile() ? undefined : stats.isDirectory() ? "a directory" : "no regular file";
	if (kind !== undefined) throw new ConfigurationError(`The configuration file ${path} is ${kind}. Put a YAML file there or remove it.`);
}

/** As much as is taken, and a byte more where there is more. */
function readBytes(descriptor: number): Uint8Array {
	const bytes = new Uint8Array(MAX_BYTES + 1);
	let length = 0;
	for (;;) {
		const count = readSync(descriptor, bytes, length, bytes.length - length, null);
		length += count;
		if (count === 0 || length === bytes.length) return bytes.subarray(0, length);
	}
}

function textOf(path: string, bytes: Uint8Array): string {
	if (bytes.length > MAX_BYTES) {
		throw new ConfigurationError(
			`The configuration file ${path} is longer than ${MAX_BYTES / 1024} KiB. Take out of it what is no setting.`,
		);
	}
	try {
		return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
	} catch (cause) {
		throw new ConfigurationError(`The configuration file ${path} is no UTF-8 text. Save it as UTF-8.`, { cause });
	}
}

function unreadable(path: string, cause: unknown): ConfigurationError {
	const reason = (cause as NodeJS.ErrnoException).code ?? String(cause);
	return new ConfigurationError(
		`The configuration file ${path} cannot be read (${reason}). Check the permissions of it and of the directories above, or remove it.`,
		{ cause },
	);
}

function isMissing(error: unknown): boolean {
	const { code } = error as NodeJS.ErrnoException;
	return code === "ENOENT" || code === "ENOTDIR";
}
