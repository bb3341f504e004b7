import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { lstat, mkdir, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { ConfigurationError } from "../errors/configuration-error.js";
import { otherWriter } from "../paths/open-to-others.js";

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;

export interface KeptFile {
	/** What it is, for messages, e.g. `approval`. */
	readonly what: string;
	readonly path: string;
	readonly maxBytes: number;
	/** Whether it counts only as long as nobody else may write it, nor put another one in its place. */
	readonly isPrivate: boolean;
}

/**
 * The text of a file; nothing where there is none. Throws a ConfigurationError for what is there and is no regular file of at most so many bytes, and for
 * a private one that others may change.
 */
export async function readKept(kept: KeptFile): Promise<string | undefined> {
	const { path, maxBytes, isPrivate } = kept;
	try {
		const file = await open(path, O_RDONLY | O_NONBLOCK | (isPrivate ? O_NOFOLLOW : 0));
		try {
			const stats = await file.stat();
			if (!stats.isFile()) throw unusable(kept, "is no regular file");
			if (isPrivate && (otherWriter(stats) ?? otherWriter(await lstat(dirname(path)))) !== undefined)
				throw unusable(kept, "can be changed by others");
			if (stats.size > maxBytes) throw unusable(kept, `is longer than ${maxBytes} bytes`);
			return await file.readFile("utf8");
		} finally {
			await file.close();
		}
	} catch (cause) {
		if (ConfigurationError.isInstance(cause)) throw cause;
		const { code } = cause as NodeJS.ErrnoException;
		if (code === "ENOENT") return undefined;
		throw unusable(kept, code === "ELOOP" ? "is a link" : `cannot be read (${code ?? String(cause)})`, cause);
	}
}

/** Writes it whole or not at all, for this user's eyes where it is private, in the place of whatever is there: of a link, not of what it leads to. */
export async function writeKept({ path, isPrivate }: KeptFile, text: string): Promise<void> {
	if (isPrivate) await makeDirectory(dirname(path));
	const beside = `${path}.${randomBytes(6).toString("hex")}.tmp`;
	try {
		const file = await open(beside, "wx", isPrivate ? 0o600 : 0o666);
		try {
			await file.writeFile(text);
			await file.sync();
		} finally {
			await file.close();
		}
		await rename(beside, path);
	} catch (error) {
		await rm(beside, { force: true });
		throw error;
	}
}

/** With those above it. Not by `recursive`, which tries without end where the system answers that there is no such directory and lets none be made. */
async function makeDirectory(path: string): Promise<void> {
	const isThere = await lstat(path).then(
		() => true,
		() => false,
	);
	if (isThere) return;
	await makeDirectory(dirname(path));
	await mkdir(path, 0o700).catch((error: NodeJS.ErrnoException) => {
		// another process was quicker
		if (error.code !== "EEXIST") throw error;
	});
}

export function unusable({ what, path }: KeptFile, why: string, cause?: unknown): ConfigurationError {
	return new ConfigurationError(
		`The ${what} file ${JSON.stringify(path)} ${why}. Look at it, and remove it if it is not yours; it is never replaced by itself.`,
		{
			cause,
		},
	);
}
