import { homedir } from "node:os";
import { isAbsolute, resolve, sep } from "node:path";
import { SEPARATORS } from "./separators.js";

/** Where `~` and relative paths are read from. */
export interface PathContext {
	/** What a leading `~` stands for. Default: the host process's home directory. */
	readonly home?: string;
	/** What a relative path is relative to. Default: the host process's working directory. */
	readonly cwd?: string;
}

/**
 * `path` as an absolute path, a leading `~` or `~/` expanded, `.` and `..` folded by spelling alone. Touches no file.
 * `~name` is an ordinary relative name. Throws an `Error` when `~` is used and the host has no home directory.
 */
export function expandPath(path: string, context: PathContext = {}): string {
	return resolve(absolutePath(path, context));
}

/** Like {@link expandPath}, but `..` stays in place: only the file system knows where a link's parent is. */
export function absolutePath(path: string, context: PathContext = {}): string {
	const expanded = path.split(SEPARATORS, 1)[0] === "~" ? `${homeDirectory(context)}${path.slice(1)}` : path;
	return isAbsolute(expanded) ? expanded : `${resolve(context.cwd ?? process.cwd())}${sep}${expanded}`;
}

function homeDirectory(context: PathContext): string {
	const home = context.home ?? homedir();
	if (!isAbsolute(home))
		throw new Error(`"~" cannot be expanded: the home directory is ${JSON.stringify(home)}. Set HOME to an absolute path.`);
	return home;
}
