import type { BigIntStats } from "node:fs";
import { lstat, opendir, readlink } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import { ConfigurationError } from "../errors/configuration-error.js";

/** A file or a link of a bundle, as it was found. */
export interface BundleEntry {
	/** Below the bundle's directory, with `/` between names. */
	readonly name: string;
	/** Where a link leads, as it is written there. Absent: a file. */
	readonly target?: string;
	readonly isExecutable: boolean;
	readonly stamp: string;
}

/** Everything in a bundle, without what is in its files. */
export interface BundleListing {
	/** Sorted by name. */
	readonly entries: readonly BundleEntry[];
	/** The same text as long as nothing has changed that the file system notes: identity, mode, size and times of everything, directories too. */
	readonly stamps: string;
	/** The latest time that anything is noted to have changed at, in milliseconds since 1970. */
	readonly changedAtMs: number;
	/** Bytes that the files are said to have. */
	readonly bytes: number;
}

/** Files, links and directories together. A bundle that has `node_modules` in it may have some thousands. */
const MAX_ENTRIES = 4096;

/**
 * Lists a bundle. Enters no link. Throws a ConfigurationError for what no digest can stand for: a link out of the bundle, a FIFO, a name that is not
 * Unicode, more than can be looked at before every run. Rejects with the file system's error.
 *
 * @param root The bundle's directory, real.
 */
export async function listBundle(root: string, signal?: AbortSignal): Promise<BundleListing> {
	const entries: BundleEntry[] = [];
	const waiting = [""];
	const stamps: string[] = [];
	let [changedAtMs, bytes] = [0, 0];
	const note = (stats: BigIntStats): string => {
		changedAtMs = Math.max(changedAtMs, Number(stats.ctimeMs), Number(stats.mtimeMs));
		return stampOf(stats);
	};
	for (let directory = waiting.pop(); directory !== undefined; directory = waiting.pop()) {
		if (signal?.aborted) throw signal.reason;
		stamps.push(`${directory}\0${note(await lstat(join(root, directory), { bigint: true }))}`);
		for await (const { name: own } of await opendir(join(root, directory))) {
			const name = directory === "" ? own : `${directory}/${own}`;
			if (name.includes("\uFFFD")) throw flaw(name, "its name is not Unicode. Rename it");
			if (entries.length + waiting.length + stamps.length >= MAX_ENTRIES) throw tooMany();
			const stats = await lstat(join(root, name), { bigint: true });
			if (stats.isDirectory()) waiting.push(name);
			else if (stats.isFile() || stats.isSymbolicLink()) {
				entries.push(await entryOf(root, name, stats, note(stats)));
				if (stats.isFile()) bytes += Number(stats.size);
			} else throw flaw(name, "it is neither a file, a directory nor a link. Remove it");
		}
	}
	entries.sort(byName);
	for (const { name, target = "", stamp } of entries) stamps.push(`${name}\0${target}\0${stamp}`);
	return { entries, stamps: stamps.sort().join("\n"), changedAtMs, bytes };
}

/** What a file system notes of a file whenever it is written, replaced or given other rights. Nobody but root can set the last of it. */
export const stampOf = ({ dev, ino, mode, size, mtimeNs, ctimeNs }: BigIntStats): string =>
	[dev, ino, mode, size, mtimeNs, ctimeNs].join(" ");

const EXECUTABLE = 0o111n;

async function entryOf(root: string, name: string, stats: BigIntStats, stamp: string): Promise<BundleEntry> {
	if (stats.isFile()) return { name, isExecutable: (stats.mode & EXECUTABLE) !== 0n, stamp };
	const target = await readlink(join(root, name));
	if (target.includes("\uFFFD")) throw flaw(name, "it is a link to a name that is not Unicode. Replace it by a file");
	if (leadsOut(name, target))
		throw flaw(
			name,
			`it is a link to ${JSON.stringify(target)}, and what lies outside of the bundle can change at any time. Replace it by a file`,
		);
	return { name, target, isExecutable: false, stamp };
}

/**
 * Whether a link may lead out of the bundle, or go through somewhere outside of it, at any step: what is behind another link is that one's
 * affair, which is held to the same. So `..` stands only in front, where the directories above are known to be no links.
 */
function leadsOut(name: string, target: string): boolean {
	if (isAbsolute(target)) return true;
	const steps = target.split("/").filter((step) => step !== "" && step !== ".");
	const below = steps.findIndex((step) => step !== "..");
	const up = below === -1 ? steps.length : below;
	return up > name.split("/").length - 1 || steps.slice(up).includes("..");
}

/** By code units, so that the order is the same everywhere. */
const byName = (left: BundleEntry, right: BundleEntry): number => (left.name < right.name ? -1 : left.name > right.name ? 1 : 0);

const flaw = (name: string, why: string): ConfigurationError => new ConfigurationError(`${JSON.stringify(name)}: ${why}.`);

const tooMany = (): ConfigurationError =>
	new ConfigurationError(
		`it holds more than ${MAX_ENTRIES} files, links and directories. Take out what is no part of the skill, such as .git.`,
	);
