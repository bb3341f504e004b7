import { type Stats, statSync } from "node:fs";
import { parse, sep } from "node:path";
import { isAtOrBelow, segmentsOf } from "./segments.js";

const WRITABLE_BY_ALL = 0o002;
const STICKY = 0o1000;

/**
 * Why what lies at `path`, a real path, may be another user's doing, as a clause and what to do: some step of the way there may be written by
 * everybody. A sticky directory above `root` keeps what is in it from others, if it belongs to this user or to root; not what is not there yet.
 * What a group may write counts as the owner's: on many systems every user has a group of its own, and files are made for it.
 * Looks at the file system, and throws its errors other than of something missing.
 */
export function openToOthers(path: string, root: string): string | undefined {
	// Modes and owners are made up there.
	if (process.platform === "win32") return undefined;
	const way = wayTo(path);
	const found = way.map((step) => statSync(step, { throwIfNoEntry: false }));
	for (const [index, step] of way.entries()) {
		const mode = found[index]?.mode ?? 0;
		if ((mode & WRITABLE_BY_ALL) === 0) continue;
		const next = found[index + 1];
		const isKept = (mode & STICKY) !== 0 && next !== undefined && !isAtOrBelow(step, root);
		if (!isKept) return `every user may write ${JSON.stringify(step)}. Take that right away (chmod o-w)`;
		if (!isOwn(next)) {
			return `${JSON.stringify(way[index + 1])} belongs to another user, in a directory where everybody may make things. Move it elsewhere`;
		}
	}
	return undefined;
}

/** Whether it belongs to this process's user or to root, who may do everything anyway. On Windows always. */
export function isOwn({ uid }: Pick<Stats, "uid">): boolean {
	const own = process.geteuid?.();
	return own === undefined || uid === own || uid === 0;
}

/** `path` and every directory above it, the highest first. */
function wayTo(path: string): readonly string[] {
	const { root } = parse(path);
	const names = segmentsOf(path.slice(root.length));
	return [root, ...names.map((_, index) => `${root}${names.slice(0, index + 1).join(sep)}`)];
}
