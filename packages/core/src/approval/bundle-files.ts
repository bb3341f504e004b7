import { createHash } from "node:crypto";
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import { ConfigurationError } from "../errors/configuration-error.js";
import { TimeSlice } from "../process/time-slice.js";
import { type BundleEntry, stampOf } from "./bundle-listing.js";

/** A file that was read. */
export interface KnownFile {
	readonly stamp: string;
	/** `sha256:…` of its content, with ` executable` behind it where it is. */
	readonly fact: string;
	readonly bytes: number;
}

export type KnownFiles = ReadonlyMap<string, KnownFile>;

/** What is in the files of a bundle, and where its links lead. */
export interface BundleFiles {
	/** By their names. Has no prototype. */
	readonly facts: Readonly<Record<string, string>>;
	/** Files of which every later change shows in the stamp. */
	readonly settled: KnownFiles;
	/** Whether any of them had to be read. */
	readonly isRead: boolean;
}

const MAX_BYTES = 64 * 1024 * 1024;

/** Times are noted in steps, of up to 2 s on some file systems: a second change within one step leaves the same stamp. */
const STEP_MS = 2_000;

const CHUNK_BYTES = 64 * 1024;

/** Reads what was listed, but for files that are known by the stamp that they have now. Gives way to the rest of the process in between. */
export async function readFiles(
	root: string,
	entries: readonly BundleEntry[],
	{ known, signal }: { readonly known: KnownFiles | undefined; readonly signal: AbortSignal | undefined },
): Promise<BundleFiles> {
	const facts: Record<string, string> = Object.create(null);
	const settled = new Map<string, KnownFile>();
	const settledBeforeMs = Date.now() - STEP_MS;
	const slice = new TimeSlice();
	let [left, isRead] = [MAX_BYTES, false];
	for (const entry of entries) {
		if (signal?.aborted) throw signal.reason;
		const { name, target, stamp, changedAtMs } = entry;
		if (target !== undefined) {
			facts[name] = `link:${target}`;
			continue;
		}
		const earlier = known?.get(name);
		const isKnown = earlier?.stamp === stamp;
		const file = isKnown ? earlier : await readFile(root, entry, left, slice);
		left -= file.bytes;
		if (left < 0) throw tooLarge();
		isRead ||= !isKnown;
		facts[name] = file.fact;
		if (changedAtMs < settledBeforeMs) settled.set(name, file);
	}
	return { facts: Object.freeze(facts), settled, isRead };
}

/** Reads the very file that was listed, as long as it says it is. */
async function readFile(root: string, { name, stamp, isExecutable }: BundleEntry, left: number, slice: TimeSlice): Promise<KnownFile> {
	const file = openSync(join(root, name), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
	try {
		const stats = fstatSync(file, { bigint: true });
		if (stampOf(stats) !== stamp) throw changing();
		const hash = createHash("sha256");
		// most files are small, and take no more memory than they need
		const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, Number(stats.size) + 4_096));
		let bytes = 0;
		for (let read = readSync(file, chunk); read > 0; read = readSync(file, chunk)) {
			bytes += read;
			if (bytes > left) throw tooLarge();
			hash.update(chunk.subarray(0, read));
			if (slice.isOver) await slice.next();
		}
		return { stamp, fact: `sha256:${hash.digest("hex")}${isExecutable ? " executable" : ""}`, bytes };
	} finally {
		closeSync(file);
	}
}

export const changing = (): ConfigurationError =>
	new ConfigurationError("it was changed while it was read. Wait until nobody changes it, and try again.");

const tooLarge = (): ConfigurationError =>
	new ConfigurationError(`its files have more than ${MAX_BYTES / 1024 / 1024} MiB together. Take out what is no part of the skill.`);
