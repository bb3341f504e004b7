import { lstatSync, readlinkSync } from "node:fs";
import { dirname } from "node:path";

/** As many as the kernel follows. */
const MAX_LINKS = 40;

export interface CrossedLink {
	/** By the real path of its directory. */
	readonly path: string;
	/** What it says. */
	readonly target: string;
}

/** Where a look-up of a path ends, and the symbolic links it crosses on the way. */
export interface Walk {
	/** The part that does not exist stays as it is spelt. */
	readonly path: string;
	readonly links: readonly CrossedLink[];
	/** Whether it never ends: a loop of links. */
	readonly isLoop: boolean;
}

export interface WalkOptions {
	/** What the link at a path says; `undefined` where there is none. Default: this computer's. */
	readonly targetOf?: (path: string) => string | undefined;
	/** Whether a link at the very end is followed. Default true. */
	readonly followLast?: boolean;
	/** Told of each name, in which directory it is looked up. A slash at the end is the empty name. */
	readonly onName?: (directory: string, name: string) => void;
}

/** Looks the absolute `path` up as the kernel does, name by name. Never throws. */
export function walkPath(path: string, { targetOf = linkTarget, followLast = true, onName }: WalkOptions = {}): Walk {
	const links: CrossedLink[] = [];
	// The next name is the last, as taking from the front would move all others each time.
	const pending = namesOf(path);
	let at = "/";
	for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
		onName?.(at, name);
		if (name === "" || name === ".") continue;
		const next = name === ".." ? dirname(at) : `${at === "/" ? "" : at}/${name}`;
		const isStep = name === ".." || (pending.length === 0 && !followLast);
		const target = isStep ? undefined : targetOf(next);
		if (target === undefined) {
			at = next;
			continue;
		}
		if (links.length === MAX_LINKS) return { path: [next, ...pending.reverse()].join("/"), links, isLoop: true };
		links.push({ path: next, target });
		if (target.startsWith("/")) at = "/";
		pending.push(...namesOf(target));
	}
	return { path: at, links, isLoop: false };
}

/** The last first. */
function namesOf(path: string): string[] {
	const names = path.split("/");
	return names.filter((name, index) => name !== "" || index === names.length - 1).reverse();
}

/** What the symbolic link at `path` says; `undefined` where there is none, or nobody can tell. */
export function linkTarget(path: string): string | undefined {
	try {
		return lstatSync(path).isSymbolicLink() ? readlinkSync(path) : undefined;
	} catch {
		return undefined;
	}
}
