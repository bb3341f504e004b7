import { type Dirent, lstatSync, readdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { isAtOrBelow } from "../paths/segments.js";

/** The one name that counts, also where the file system takes others for the same. */
export const SKILL_FILE = "SKILL.md";

/** A directory that may be a bundle or hold some. */
export interface Place {
	readonly directory: string;
	/** Its real path. Absent of a link, before anybody looked where it leads. */
	readonly real?: string;
	/** From the root, whose entries are at 1. */
	readonly depth: number;
	/** Its name begins with a dot: it may be a bundle, and holds none. */
	readonly isHidden: boolean;
}

/** What a directory turned out to be. */
export type Look =
	/** Nothing, or no longer there. */
	| { readonly kind: "nothing" }
	/** A bundle. Of one that cannot be listed only loading it tells whether it is one, and what is wrong. */
	| {
			readonly kind: "bundle";
			readonly real: string;
			readonly isListed: boolean;
			readonly hasScripts: boolean;
			readonly subdirectories: readonly string[];
	  }
	/** A bundle whose file has another name. */
	| { readonly kind: "misnamed"; readonly name: string }
	| { readonly kind: "group"; readonly real: string; readonly entries: readonly Dirent[] }
	/** A link that leads to something that holds bundles outside of where bundles are looked for. */
	| { readonly kind: "elsewhere"; readonly target: string }
	/** A link out of the directory that nothing may leave. */
	| { readonly kind: "outside"; readonly target: string };

/** What nothing leaves. */
export interface Bounds {
	/** The root's real path: links to what holds bundles are followed nowhere, and below it nothing is lost by that. */
	readonly root: string;
	/** A project's real path: links may not lead out of it, not even to a bundle. Absent where the user's own roots are looked through. */
	readonly within?: string;
}

/** What links of one root lead to, by its real path: many may lead to one place, which is then looked at once. */
export type Targets = Map<string, Look>;

const NOTHING: Look = { kind: "nothing" };

/** Looks into one directory, at once. Opens no file. Never throws. */
export function lookInto({ directory, real }: Place, bounds: Bounds, targets: Targets): Look {
	return real === undefined ? lookThroughLink(directory, bounds, targets) : lookAt(directory, real, bounds);
}

/** Nothing is listed or opened before it is known where the link leads. */
function lookThroughLink(link: string, bounds: Bounds, targets: Targets): Look {
	let target: string;
	try {
		target = realpathSync.native(link);
	} catch (error) {
		// Of a link that leads back to itself loading tells what is wrong; in a project it leads nowhere.
		return isMissing(error) || bounds.within !== undefined ? NOTHING : unlisted(link);
	}
	if (bounds.within !== undefined && !isAtOrBelow(target, bounds.within)) return { kind: "outside", target };
	const look = targets.get(target) ?? lookAtTarget(target, bounds);
	targets.set(target, look);
	return look;
}

function lookAtTarget(target: string, bounds: Bounds): Look {
	const noBundle: Look = isAtOrBelow(target, bounds.root) ? NOTHING : { kind: "elsewhere", target };
	try {
		// What is no bundle may be of any size, and is not listed.
		lstatSync(join(target, SKILL_FILE));
	} catch (error) {
		const { code } = error as NodeJS.ErrnoException;
		if (code === "ENOENT") return noBundle;
		if (code === "ENOTDIR") return NOTHING;
	}
	const look = lookAt(target, target, bounds);
	return look.kind === "group" ? noBundle : look;
}

function lookAt(directory: string, real: string, { within }: Bounds): Look {
	let entries: readonly Dirent[] | undefined;
	try {
		entries = readdirSync(directory, { withFileTypes: true });
	} catch (error) {
		if (isMissing(error)) return NOTHING;
	}
	const file = entries?.find(({ name }) => name === SKILL_FILE);
	// Of what cannot be listed nobody knows whether its SKILL.md is a link.
	const mayLeadOut = within !== undefined && (entries === undefined || file?.isSymbolicLink() === true);
	const leads = mayLeadOut ? realOrNothing(join(directory, SKILL_FILE)) : undefined;
	if (within !== undefined && leads !== undefined && !isAtOrBelow(leads, within)) return { kind: "outside", target: leads };
	if (entries === undefined) return unlisted(real);
	if (file !== undefined)
		return { kind: "bundle", real, isListed: true, hasScripts: entries.some(isScripts), subdirectories: subdirectoriesOf(entries) };
	const misnamed = entries.find((entry) => entry.name.toUpperCase() === "SKILL.MD" && !entry.isDirectory());
	return misnamed === undefined ? { kind: "group", real, entries } : { kind: "misnamed", name: misnamed.name };
}

const unlisted = (real: string): Look => ({ kind: "bundle", real, isListed: false, hasScripts: true, subdirectories: NONE });

function isMissing(error: unknown): boolean {
	const { code } = error as NodeJS.ErrnoException;
	return code === "ENOENT" || code === "ENOTDIR";
}

/** Whether bundles may lie in it that lie in nothing else. */
export const isSearched = (entry: Dirent): boolean => entry.isDirectory() && !entry.name.startsWith(".") && !SKIPPED.has(entry.name);

const NONE: readonly string[] = Object.freeze([]);

/** Most bundles have none. */
function subdirectoriesOf(entries: readonly Dirent[]): readonly string[] {
	const names = entries.filter(isSearched).map(({ name }) => name);
	return names.length === 0 ? NONE : names;
}

/** Some file systems take `Scripts` for the same. */
const isScripts = ({ name }: Dirent): boolean => name.length === SCRIPTS.length && name.toLowerCase() === SCRIPTS;
const SCRIPTS = "scripts";

/** What is in them belongs to programs. */
const SKIPPED: ReadonlySet<string> = new Set([".git", "node_modules"]);

/**
 * The directories and links of one directory that are looked into, sorted by name.
 *
 * @param real The directory's real path.
 */
export function placesIn(directory: string, real: string, depth: number, entries: readonly Dirent[]): readonly Place[] {
	return entries
		.filter((entry) => (entry.isDirectory() || entry.isSymbolicLink()) && !SKIPPED.has(entry.name))
		.sort((one, other) => (one.name < other.name ? -1 : 1))
		.map((entry) => ({
			directory: join(directory, entry.name),
			...(entry.isDirectory() && { real: join(real, entry.name) }),
			depth,
			isHidden: entry.name.startsWith("."),
		}));
}

export function realOrNothing(path: string): string | undefined {
	try {
		return realpathSync.native(path);
	} catch {
		return undefined;
	}
}
