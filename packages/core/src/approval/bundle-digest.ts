import { createHash } from "node:crypto";
import { realpath } from "node:fs/promises";
import { ConfigurationError } from "../errors/configuration-error.js";
import { checkNames, checkSignal } from "../options/check-options.js";
import { describeValue } from "../text/describe-value.js";
import { messageOf } from "../text/message-of.js";
import { changing, type KnownFiles, readFiles } from "./bundle-files.js";
import { type BundleListing, isSameListing, listBundle } from "./bundle-listing.js";

/** What a bundle was at one moment. */
export interface BundleDigest {
	/** `sha256:` and 64 hexadecimal digits, over names, contents, executable bits and where links lead. */
	readonly digest: string;
	/**
	 * Every file and link by its name below the bundle's directory: `sha256:…` of its content, with ` executable` behind it where it is, or `link:`
	 * and where it leads. Has no prototype.
	 */
	readonly files: Readonly<Record<string, string>>;
}

/** A digest, and of which files it still holds without reading them again. */
export interface KnownBundle extends BundleDigest {
	/** The bundle's directory, real. */
	readonly path: string;
	readonly settled: KnownFiles;
}

/** What is no larger is read whole before every run: that takes two or three milliseconds, and stamps cannot tell everything. */
const READ_ALWAYS_FILES = 64;
const READ_ALWAYS_BYTES = 1024 * 1024;

/**
 * The digest of everything in a bundle: every file and link at any depth, whatever it is called, since a script may read, import or run any of it.
 * Empty directories, times and owners do not count, so that a copy has the same digest.
 *
 * Throws a ConfigurationError for a bundle that a digest cannot stand for: more than 4,096 files, links and directories or 64 MiB, a link out of it, a
 * FIFO, something that may not be read or that changes meanwhile. Rejects with the signal's reason.
 */
export async function bundleDigest(skillDir: string, options: { readonly signal?: AbortSignal } = {}): Promise<BundleDigest> {
	checkNames("bundleDigest()", options, ["signal"]);
	checkSignal("bundleDigest()", options.signal);
	const { digest, files } = await readBundle(skillDir, { signal: options.signal });
	return Object.freeze({ digest, files });
}

/**
 * The same. Of a bundle of more than 64 files or 1 MiB files are read only where what is known of them need not hold any more. It holds where a file has the
 * stamp that it had (device, inode, mode, size, and the times of its modification and its change, to the nanosecond), where the file system lets
 * nobody set the latter, and where that lay two seconds back when the file was read.
 */
export async function readBundle(
	skillDir: string,
	{ known, signal }: { readonly known?: KnownBundle | undefined; readonly signal?: AbortSignal | undefined },
): Promise<KnownBundle> {
	if (typeof skillDir !== "string") throw new ConfigurationError(`The directory of a skill is a path, not ${describeValue(skillDir)}.`);
	try {
		const path = await realpath(skillDir);
		const listing = await listBundle(path, signal);
		const read = await readFiles(path, listing.entries, { known: isSmall(listing) ? undefined : known?.settled, signal });
		// what was read first may be another thing by the time that the last is read
		if (read.isRead && !isSameListing(await listBundle(path, signal), listing)) throw changing();
		const { files, digest } = known !== undefined && isSame(known.files, read.facts) ? known : digested(read.facts);
		return { path, digest, files, settled: read.settled };
	} catch (error) {
		if (signal?.aborted) throw signal.reason;
		throw unusable(skillDir, error);
	}
}

const isSmall = ({ entries }: BundleListing): boolean =>
	entries.length <= READ_ALWAYS_FILES && entries.reduce((sum, { bytes }) => sum + bytes, 0) <= READ_ALWAYS_BYTES;

function isSame(before: BundleDigest["files"], now: BundleDigest["files"]): boolean {
	const names = Object.keys(now);
	return names.length === Object.keys(before).length && names.every((name) => before[name] === now[name]);
}

const digested = (files: BundleDigest["files"]): BundleDigest => ({ digest: digestOf(files), files });

/** The digest of files and links, by what {@link BundleDigest.files} says of them. */
export function digestOf(files: Readonly<Record<string, string>>): string {
	const hash = createHash("sha256");
	for (const name of Object.keys(files).sort()) hash.update(`${JSON.stringify([name, files[name]])}\n`);
	return `sha256:${hash.digest("hex")}`;
}

function unusable(skillDir: string, error: unknown): ConfigurationError {
	const start = `The skill in ${JSON.stringify(skillDir)} cannot be approved or locked:`;
	if (ConfigurationError.isInstance(error)) return new ConfigurationError(`${start} ${error.message}`, { cause: error.cause ?? error });
	const { code, path } = error as NodeJS.ErrnoException;
	const what = typeof path === "string" && path !== skillDir ? `${JSON.stringify(path)} ` : "it ";
	return new ConfigurationError(
		`${start} ${what}${code === undefined ? `cannot be read: ${messageOf(error)}` : (FAILURES[code] ?? `cannot be read (${code}).`)}`,
		{
			cause: error,
		},
	);
}

const FAILURES: Readonly<Record<string, string>> = {
	ENOENT: "is not there any more.",
	ENOTDIR: "is no directory.",
	EACCES: "may not be read. Change its permissions.",
	ELOOP: "is a link now, and was none a moment ago.",
};
