import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { open, realpath } from "node:fs/promises";
import { join } from "node:path";
import { ConfigurationError } from "../errors/configuration-error.js";
import { checkNames, checkSignal } from "../options/check-options.js";
import { describeValue } from "../text/describe-value.js";
import { messageOf } from "../text/message-of.js";
import { type BundleEntry, type BundleListing, listBundle, stampOf } from "./bundle-listing.js";

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

/** A digest, and what tells whether it still holds without reading all of it again. */
export interface KnownBundle extends BundleDigest {
	/** The bundle's directory, real. */
	readonly path: string;
	readonly stamps: string;
	/** Whether stamps alone tell: nothing had changed for a while when it was read, and it is large enough for it to matter. */
	readonly isStamped: boolean;
}

const MAX_BYTES = 64 * 1024 * 1024;

/** What is no larger is read before every run: that takes a few milliseconds, and stamps cannot tell everything. */
const READ_ALWAYS_BYTES = 1024 * 1024;

/** Times are noted in steps, of up to 2 s on some file systems: a second change within one step leaves the same stamp. */
const STEP_MS = 2_000;

const CHUNK_BYTES = 64 * 1024;

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

/** The same, read anew only where what is known of it need not hold any more. */
export async function readBundle(
	skillDir: string,
	{ known, signal }: { readonly known?: KnownBundle | undefined; readonly signal?: AbortSignal | undefined },
): Promise<KnownBundle> {
	if (typeof skillDir !== "string") throw new ConfigurationError(`The directory of a skill is a path, not ${describeValue(skillDir)}.`);
	try {
		const path = await realpath(skillDir);
		const startedAtMs = Date.now();
		const listing = await listBundle(path, signal);
		if (known?.isStamped === true && known.path === path && known.stamps === listing.stamps) return known;
		const files = await digestsOf(path, listing, signal);
		// what was read first may be another thing by the time that the last is read
		if ((await listBundle(path, signal)).stamps !== listing.stamps) throw changing();
		const isStamped = listing.bytes > READ_ALWAYS_BYTES && listing.changedAtMs + STEP_MS < startedAtMs;
		return { path, digest: digestOf(files), files, stamps: listing.stamps, isStamped };
	} catch (error) {
		if (signal?.aborted) throw signal.reason;
		throw unusable(skillDir, error);
	}
}

/** The digest of files and links, by what {@link BundleDigest.files} says of them. */
export function digestOf(files: Readonly<Record<string, string>>): string {
	const hash = createHash("sha256");
	for (const name of Object.keys(files).sort()) hash.update(`${JSON.stringify([name, files[name]])}\n`);
	return `sha256:${hash.digest("hex")}`;
}

async function digestsOf(
	root: string,
	{ entries }: BundleListing,
	signal: AbortSignal | undefined,
): Promise<Readonly<Record<string, string>>> {
	const files: Record<string, string> = Object.create(null);
	let left = MAX_BYTES;
	for (const entry of entries) {
		if (signal?.aborted) throw signal.reason;
		if (entry.target === undefined) {
			const { hash, bytes } = await hashFile(root, entry, left);
			left -= bytes;
			files[entry.name] = `sha256:${hash}${entry.isExecutable ? " executable" : ""}`;
		} else files[entry.name] = `link:${entry.target}`;
	}
	return Object.freeze(files);
}

/** Reads the very file that was listed, as long as it says it is. */
async function hashFile(
	root: string,
	{ name, stamp }: BundleEntry,
	left: number,
): Promise<{ readonly hash: string; readonly bytes: number }> {
	const file = await open(join(root, name), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
	try {
		if (stampOf(await file.stat({ bigint: true })) !== stamp) throw changing();
		const hash = createHash("sha256");
		const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
		for (let bytes = 0; ; ) {
			const { bytesRead } = await file.read(chunk, 0, CHUNK_BYTES);
			if (bytesRead === 0) return { hash: hash.digest("hex"), bytes };
			bytes += bytesRead;
			if (bytes > left) throw tooLarge();
			hash.update(chunk.subarray(0, bytesRead));
		}
	} finally {
		await file.close();
	}
}

const changing = (): ConfigurationError =>
	new ConfigurationError("it was changed while it was read. Wait until nobody changes it, and try again.");

const tooLarge = (): ConfigurationError =>
	new ConfigurationError(`its files have more than ${MAX_BYTES / 1024 / 1024} MiB together. Take out what is no part of the skill.`);

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
