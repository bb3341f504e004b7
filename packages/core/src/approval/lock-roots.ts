import { homedir } from "node:os";
import { dirname, isAbsolute, join, relative } from "node:path";
import { expandPath } from "../paths/expand-path.js";
import { realPath } from "../paths/real-path.js";
import { isAtOrBelow, segmentsOf } from "../paths/segments.js";

/** Far more than anybody has. */
const MAX_ROOTS = 1000;

/** The roots that a lock at this path says, absolute; `undefined`: they are none. */
export function readRoots(written: unknown, lockPath: string): readonly string[] | undefined {
	if (!Array.isArray(written) || written.length > MAX_ROOTS) return undefined;
	if (!written.every((root) => typeof root === "string" && root !== "" && !root.includes("\0"))) return undefined;
	return Object.freeze(written.map((root: string) => expandPath(root, { cwd: dirname(lockPath) })));
}

/** Roots as a lock at this path says them: so that they are the same in another clone, and for another user where they lie in the home directory. */
export const writtenRoots = (roots: readonly string[], lockPath: string): readonly string[] =>
	[...new Set(roots.map((root) => writtenRoot(root, dirname(lockPath))))].sort();

function writtenRoot(root: string, directory: string): string {
	if (isAtOrBelow(root, directory)) return segmentsOf(relative(directory, root)).join("/") || ".";
	const home = homedir();
	return isAbsolute(home) && isAtOrBelow(root, home) ? join("~", ...segmentsOf(relative(home, root))) : root;
}

/** Whether a bundle is from one of the roots: by the path that it is known by, or where it really lies. */
export const isFrom = (roots: readonly string[], path: string): boolean =>
	roots.some((root) => isAtOrBelow(expandPath(path), root) || isAtOrBelow(realOr(path), realOr(root)));

function realOr(path: string): string {
	try {
		return realPath(path);
	} catch {
		return path;
	}
}
