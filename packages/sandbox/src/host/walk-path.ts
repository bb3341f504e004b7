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
}

/** Looks the absolute `path` up as the kernel does, name by name. Never throws. */
export function walkPath(path: string, { targetOf = linkTarget, followLast = true }: WalkOptions = {}): Walk {
	const links: CrossedLink[] = [];
	const pending = path.split("/").filter(isName);
	let at = "/";
	while (pending.length > 0 && links.length < MAX_LINKS) {
		const name = pending.shift() ?? "";
		const next = name === ".." ? dirname(at) : `${at === "/" ? "" : at}/${name}`;
		const isStep = name === ".." || (pending.length === 0 && !followLast);
		const target = isStep ? undefined : targetOf(next);
		if (target === undefined) {
			at = next;
			continue;
		}
		links.push({ path: next, target });
		if (target.startsWith("/")) at = "/";
		pending.unshift(...target.split("/").filter(isName));
	}
	return { path: pending.length === 0 ? at : `${at === "/" ? "" : at}/${pending.join("/")}`, links, isLoop: pending.length > 0 };
}

const isName = (name: string): boolean => name !== "" && name !== ".";

/** What the symbolic link at `path` says; `undefined` where there is none, or nobody can tell. */
export function linkTarget(path: string): string | undefined {
	try {
		return lstatSync(path).isSymbolicLink() ? readlinkSync(path) : undefined;
	} catch {
		return undefined;
	}
}
