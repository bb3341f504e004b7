import { type BigIntStats, lstatSync, opendirSync, readlinkSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { ConfigurationError } from "../errors/configuration-error.js";
import { TimeSlice } from "../process/time-slice.js";
import { keepsChangeTimes } from "./change-times.js";

/** A file or a link of a bundle, as it was found. */
export interface BundleEntry {
	/** Below the bundle's directory, with `/` between names. */
	readonly name: string;
	/** Where a link leads, as it is written there. Absent: a file. */
	readonly target?: string;
	readonly isExecutable: boolean;
	/** Bytes that it is said to have. */
	readonly bytes: number;
	readonly stamp: string;
	/** When it was last changed, in milliseconds since 1970. `Infinity` where its owner may have a say in that. */
	readonly changedAtMs: number;
}

/** Everything in a bundle, without what is in its files. */
export interface BundleListing {
	/** Sorted by name. */
	readonly entries: readonly BundleEntry[];
	/** Directories with their stamps. */
	readonly directories: readonly string[];
}

/** Files, links and directories together. A bundle that has `node_modules` in it may have some thousands. */
const MAX_ENTRIES = 4096;

/**
 * Lists a bundle. Enters no link. Throws a ConfigurationError for what no digest can stand for: a link out of the bundle, a FIFO, a name that is not
 * Unicode, more than can be looked at before every run. Rejects with the file system's error.
 *
 * At once and not by the system's threads, which take twenty times as long to hand each answer over; it gives way in between.
 *
 * @param root The bundle's directory, real.
 */
export async function listBundle(root: string, signal?: AbortSignal): Promise<BundleListing> {
	const entries: BundleEntry[] = [];
	const waiting = [""];
	const directories: string[] = [];
	const slice = new TimeSlice();
	const { dev } = lstatSync(root, { bigint: true });
	const keeps = keepsChangeTimes(root);
	for (let directory = waiting.pop(); directory !== undefined; directory = waiting.pop()) {
		if (signal?.aborted) throw signal.reason;
		directories.push(`${directory}\0${stampOf(lstatSync(join(root, directory), { bigint: true }))}`);
		for (const own of namesIn(join(root, directory))) {
			if (slice.isOver) await slice.next();
			const name = directory === "" ? own : `${directory}/${own}`;
			if (name.includes("\uFFFD")) throw flaw(name, "its name is not Unicode. Rename it");
			if (entries.length + waiting.length + directories.length >= MAX_ENTRIES) throw tooMany();
			const stats = lstatSync(join(root, name), { bigint: true });
			if (stats.isDirectory()) waiting.push(name);
			else entries.push(entryOf(root, name, stats, keeps && stats.dev === dev));
		}
	}
	return { entries: entries.sort(byName), directories: directories.sort() };
}

/** Whether nothing had changed between two listings that the file system notes: identity, mode, size and times of everything, directories too. */
export function isSameListing(one: BundleListing, other: BundleListing): boolean {
	const [before, after] = [one, other].map(({ entries, directories }) =>
		JSON.stringify([directories, entries.map(({ name, target, stamp }) => [name, target, stamp])]),
	);
	return before === after;
}

/** One after the other: a directory may have a million. */
function* namesIn(path: string): Generator<string> {
	const directory = opendirSync(path);
	try {
		for (let entry = directory.readSync(); entry !== null; entry = directory.readSync()) yield entry.name;
	} finally {
		directory.closeSync();
	}
}

/** What a file system notes of a file whenever it is written, replaced or given other rights. */
export const stampOf = ({ dev, ino, mode, size, mtimeNs, ctimeNs }: BigIntStats): string =>
	[dev, ino, mode, size, mtimeNs, ctimeNs].join(" ");

const EXECUTABLE = 0o111n;

function entryOf(root: string, name: string, stats: BigIntStats, isTimed: boolean): BundleEntry {
	const entry = {
		name,
		isExecutable: false,
		bytes: Number(stats.size),
		stamp: stampOf(stats),
		changedAtMs: isTimed ? Number(stats.ctimeMs) : Number.POSITIVE_INFINITY,
	};
	if (stats.isFile()) return { ...entry, isExecutable: (stats.mode & EXECUTABLE) !== 0n };
	if (!stats.isSymbolicLink()) throw flaw(name, "it is neither a file, a directory nor a link. Remove it");
	const target = readlinkSync(join(root, name));
	if (target.includes("\uFFFD")) throw flaw(name, "it is a link to a name that is not Unicode. Replace it by a file");
	if (leadsOut(name, target))
		throw flaw(
			name,
			`it is a link to ${JSON.stringify(target)}, and what lies outside of the bundle can change at any time. Replace it by a file`,
		);
	return { ...entry, target };
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
