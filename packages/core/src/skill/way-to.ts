import { lstat, readlink } from "node:fs/promises";
import { join, parse, sep } from "node:path";

/** The names on the way to a path that decide where it leads, by the directory in which each stands. */
export type Way = Map<string, Set<string>>;

/** As many links as systems follow in one path. */
const MAX_LINKS = 40;

/**
 * Adds every name that is looked up on the way to a path, links followed one by one: whoever puts something else under one of these names decides where
 * the path leads, and so does whoever makes the first that is missing. Never rejects: the way ends where it cannot be seen any more.
 *
 * @param path Absolute.
 * @param way Ways to other paths, of the same moment.
 */
export async function addWayTo(path: string, way: Way): Promise<void> {
	let { root: at } = parse(path);
	let left = namesOf(path.slice(at.length));
	let links = 0;
	while (left.length > 0) {
		const [name = "", ...after] = left;
		left = after;
		const next = join(at, name);
		// Links before it were followed, so that this is the directory above the one that was reached.
		if (name !== "..") note(way, at, name);
		const target = name === ".." ? "" : await targetOf(next);
		if (target === undefined) return;
		if (target === "") at = next;
		else if (++links > MAX_LINKS) return;
		else {
			const { root } = parse(target);
			if (root !== "") at = root;
			left = [...namesOf(target.slice(root.length)), ...left];
		}
	}
}

function note(way: Way, directory: string, name: string): void {
	const names = way.get(directory);
	if (names === undefined) way.set(directory, new Set([name]));
	else names.add(name);
}

const SEPARATORS = sep === "/" ? "/" : /[\\/]/;
const namesOf = (path: string): readonly string[] => path.split(SEPARATORS).filter((name) => name !== "" && name !== ".");

/** Where a link leads; empty of what is none, nothing of what is not there. */
async function targetOf(path: string): Promise<string | undefined> {
	try {
		return (await lstat(path)).isSymbolicLink() ? await readlink(path) : "";
	} catch {
		return undefined;
	}
}
