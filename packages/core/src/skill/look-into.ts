import type { Dirent } from "node:fs";
import { readdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import { isAtOrBelow } from "../paths/segments.js";

/** The one name that counts, also where the file system takes others for the same. */
export const SKILL_FILE = "SKILL.md";

/** A directory that may be a bundle or hold some. */
export interface Place {
	readonly directory: string;
	/** From the root, whose entries are at 1. */
	readonly depth: number;
	readonly isLink: boolean;
	/** Its name begins with a dot: it may be a bundle, and holds none. */
	readonly isHidden: boolean;
}

/** What a directory turned out to be. */
export type Look =
	/** Nothing, or no longer there. */
	| { readonly kind: "nothing" }
	/** A bundle. Of one that cannot be listed only loading it tells whether it is one, and what is wrong. */
	| { readonly kind: "bundle"; readonly isListed: boolean; readonly subdirectories: readonly string[] }
	/** A bundle whose file has another name. */
	| { readonly kind: "misnamed"; readonly name: string }
	| { readonly kind: "group"; readonly entries: readonly Dirent[] }
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

/** Looks into one directory. Opens no file. Never rejects. */
export async function lookInto(place: Place, { root, within }: Bounds): Promise<Look> {
	const { directory, isLink } = place;
	const target = isLink ? await realOrNothing(directory) : undefined;
	if (within !== undefined && isLink) {
		if (target === undefined) return { kind: "nothing" };
		if (!isAtOrBelow(target, within)) return { kind: "outside", target };
	}
	let entries: readonly Dirent[];
	try {
		entries = await readdir(directory, { withFileTypes: true });
	} catch (error) {
		const { code } = error as NodeJS.ErrnoException;
		return code === "ENOENT" || code === "ENOTDIR" ? { kind: "nothing" } : { kind: "bundle", isListed: false, subdirectories: [] };
	}
	const file = entries.find(({ name }) => name === SKILL_FILE);
	if (file !== undefined) {
		const leads = within === undefined || !file.isSymbolicLink() ? undefined : await realOrNothing(join(directory, SKILL_FILE));
		if (within !== undefined && leads !== undefined && !isAtOrBelow(leads, within)) return { kind: "outside", target: leads };
		return { kind: "bundle", isListed: true, subdirectories: entries.filter(isSearched).map(({ name }) => name) };
	}
	const misnamed = entries.find((entry) => entry.name.toUpperCase() === "SKILL.MD" && !entry.isDirectory());
	if (misnamed !== undefined) return { kind: "misnamed", name: misnamed.name };
	if (target === undefined) return { kind: "group", entries };
	return isAtOrBelow(target, root) ? { kind: "nothing" } : { kind: "elsewhere", target };
}

/** Whether bundles may lie in it that lie in nothing else. */
export const isSearched = (entry: Dirent): boolean => entry.isDirectory() && !entry.name.startsWith(".") && !SKIPPED.has(entry.name);

/** What is in them belongs to programs. */
const SKIPPED: ReadonlySet<string> = new Set([".git", "node_modules"]);

/** The directories and links of one directory that are looked into, sorted by name. */
export function placesIn(directory: string, depth: number, entries: readonly Dirent[]): readonly Place[] {
	return entries
		.filter((entry) => (entry.isDirectory() || entry.isSymbolicLink()) && !SKIPPED.has(entry.name))
		.sort((one, other) => (one.name < other.name ? -1 : 1))
		.map((entry) => ({
			directory: join(directory, entry.name),
			depth,
			isLink: entry.isSymbolicLink(),
			isHidden: entry.name.startsWith("."),
		}));
}

export async function realOrNothing(path: string): Promise<string | undefined> {
	return realpath(path).catch(() => undefined);
}
