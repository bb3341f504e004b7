import { lstatSync, readlinkSync, realpathSync } from "node:fs";
import { dirname, isAbsolute, join, sep } from "node:path";
import { absolutePath, type PathContext } from "./expand-path.js";
import { SEPARATORS } from "./separators.js";

const MAX_DANGLING_LINKS = 40;

/**
 * Where `path` physically leads: every symbolic link of its existing part resolved, the part that does not exist yet kept
 * as it is spelt, `..` followed the way the kernel follows it. `~` and relative paths are expanded first.
 *
 * A link whose target is missing is resolved too, because writing through it would create the target.
 * Throws the file system's error when nobody can tell where the path leads: a loop of links (`ELOOP`), a `..` below
 * something missing (`ENOENT`), a directory that may not be searched (`EACCES`), a name that is too long.
 */
export function realPath(path: string, context: PathContext = {}): string {
	return resolvePhysically(absolutePath(path, context), MAX_DANGLING_LINKS);
}

function resolvePhysically(path: string, linksLeft: number): string {
	try {
		return realpathSync.native(path);
	} catch (error) {
		if (!isMissing(error)) throw error;
		const { parent, name } = splitLast(path);
		if (name === "..") throw error;
		if (name === ".") return resolvePhysically(parent, linksLeft);
		return followDangling(join(resolvePhysically(parent, linksLeft), name), linksLeft, error);
	}
}

function followDangling(path: string, linksLeft: number, error: unknown): string {
	const target = linkTarget(path);
	if (target === undefined) return path;
	if (linksLeft === 0) throw error;
	return resolvePhysically(isAbsolute(target) ? target : `${dirname(path)}${sep}${target}`, linksLeft - 1);
}

function linkTarget(path: string): string | undefined {
	try {
		return lstatSync(path).isSymbolicLink() ? readlinkSync(path) : undefined;
	} catch (error) {
		if (isMissing(error)) return undefined;
		throw error;
	}
}

/** `dirname` and `basename` will not do: they drop a trailing `.` and take `..` for a name like any other. */
function splitLast(path: string): { readonly parent: string; readonly name: string } {
	const names = path.split(SEPARATORS);
	while (names.at(-1) === "") names.pop();
	const name = names.pop() ?? "";
	return { parent: `${names.join(sep)}${sep}`, name };
}

function isMissing(error: unknown): boolean {
	const code = (error as NodeJS.ErrnoException).code;
	return code === "ENOENT" || code === "ENOTDIR";
}
