import { homedir } from "node:os";
import { dirname, isAbsolute, join, relative } from "node:path";
import { expandPath } from "../paths/expand-path.js";
import { isAtOrBelow, segmentsOf } from "../paths/segments.js";
import { realOrNothing } from "../skill/look-into.js";

/** More than anybody has. A lock may be a stranger's, and each root is looked for at each run. */
const MAX_ROOTS = 100;
/** No system knows a longer path. */
const MAX_PATH = 4096;

/** The roots that a lock at this path says, absolute; `undefined`: they are none. */
export function readRoots(written: unknown, lockPath: string): readonly string[] | undefined {
	if (!Array.isArray(written) || written.length > MAX_ROOTS) return undefined;
	if (!written.every(isPath)) return undefined;
	return Object.freeze(written.map((root: string) => expandPath(root, { cwd: dirname(lockPath) })));
}

const isPath = (root: unknown): boolean => typeof root === "string" && root !== "" && root.length <= MAX_PATH && !root.includes("\0");

/** Roots as a lock at this path says them: so that they are the same in another clone, and for another user where they lie in the home directory. */
export const writtenRoots = (roots: readonly string[], lockPath: string): readonly string[] =>
	[...new Set(roots.map((root) => writtenRoot(root, dirname(lockPath))))].sort();

function writtenRoot(root: string, directory: string): string {
	if (isAtOrBelow(root, directory)) return segmentsOf(relative(directory, root)).join("/") || ".";
	const home = homedir();
	return isAbsolute(home) && isAtOrBelow(root, home) ? join("~", ...segmentsOf(relative(home, root))) : root;
}

/** Whether a bundle is from one of the roots: by the path that it is known by, or where it really lies. */
export function isFrom(roots: readonly string[], path: string): boolean {
	const [known, real] = [expandPath(path), realOr(path)];
	return roots.some((root) => isAtOrBelow(known, root) || isAtOrBelow(real, realOr(root)));
}

/** In what is not there no bundle lies. */
const realOr = (path: string): string => realOrNothing(path) ?? path;
