import { isAtOrBelow } from "@robot-lab/core/paths";
import { protectedIn, waysToProtected } from "../grant/protected-paths.js";
import type { BubblewrapHost } from "./bubblewrap-host.js";

export interface GuardRequest {
	/** Real paths that a grant lets be written. */
	readonly write: readonly string[];
	readonly protect: boolean;
	readonly host: BubblewrapHost;
}

export interface GuardedPaths {
	/** To be mounted read-only. */
	readonly present: readonly string[];
	/** Protected names that do not exist. */
	readonly missing: readonly string[];
	/** One line for each writable directory that has names nothing can be mounted over: they do not exist, or are links. */
	readonly notes: readonly string[];
}

/** What of the protected names in directories to write can be kept from being written, and what cannot. A pure function. */
export function guardedPaths({ write, protect, host }: GuardRequest): GuardedPaths {
	const roots = protect ? write.map((root) => guardedIn(root, write, host)) : [];
	return {
		present: roots.flatMap(({ present }) => present),
		missing: roots.flatMap(({ missing }) => missing),
		notes: roots.flatMap(({ notes }) => notes),
	};
}

function guardedIn(root: string, write: readonly string[], host: BubblewrapHost): GuardedPaths {
	const files = waysToProtected(root).filter((path) => host.filesOnTheWay.has(path) && !write.includes(path));
	const candidates = protectedIn(root).filter((path) => !write.includes(path) && !files.some((file) => isAtOrBelow(path, file)));
	const solid = candidates.filter((path) => host.existing.has(path) && (host.realPaths.get(path) ?? path) === path);
	const targets = candidates.flatMap((path) => host.realPaths.get(path) ?? []).filter((path) => host.existing.has(path));
	const open = candidates.filter((path) => !solid.includes(path));
	return {
		present: [...files, ...solid, ...targets.filter((path) => write.some((other) => path !== other && isAtOrBelow(path, other)))],
		missing: open.filter((path) => !host.existing.has(path)),
		notes: open.length === 0 ? [] : [openNote(root, open)],
	};
}

function openNote(root: string, open: readonly string[]): string {
	const names = open.map((path) => path.slice(root.length + 1)).join(", ");
	return `In ${JSON.stringify(root)} a script can make these, as they do not exist yet or are links: ${names}`;
}
