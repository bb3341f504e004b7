import { lstatSync, readdirSync, readFileSync, type Stats } from "node:fs";
import { join } from "node:path";

/** Things that no script may change, by name, and what each is like. */
export type Guarded = ReadonlyMap<string, string>;

type Entry = readonly [name: string, state: string];

/** Everything at and below a path; what a directory holds comes before it, and says more about a change. */
export function describeTree(path: string): readonly Entry[] {
	const found = look(path);
	if (found === undefined) return [];
	const below = found.isDirectory() ? namesIn(path).flatMap((name) => describeTree(join(path, name))) : [];
	const { mode, uid, gid, nlink, mtime } = found;
	return [...below, [path, `${contentOf(path, found)}${mode.toString(8)} ${uid}:${gid} ${nlink} ${mtime.toISOString()}`]];
}

/** Files at and below a directory that give whoever runs them another identity. */
export function describeSetuid(directory: string): readonly Entry[] {
	return namesIn(directory).flatMap((name): readonly Entry[] => {
		const path = join(directory, name);
		const found = look(path);
		const below = found?.isDirectory() === true ? describeSetuid(path) : [];
		return found !== undefined && (found.mode & 0o6000) !== 0 ? [...below, [path, "of another identity"]] : below;
	});
}

/** One difference, in words: first what is gone or new, then what is not as it was, which a directory is not for the same reason. */
export function firstChange(before: Guarded, after: Guarded): string | undefined {
	const gone = [...before.keys()].find((name) => !after.has(name));
	if (gone !== undefined) return `${gone} is gone`;
	const added = [...after].find(([name]) => !before.has(name));
	if (added !== undefined) return `${added[0]} is new: ${added[1]}`;
	const changed = [...after].find(([name, state]) => before.get(name) !== state);
	return changed === undefined ? undefined : `${changed[0]} is now ${changed[1]}`;
}

/** A script may have closed what it could: that it cannot be looked at is what it is like then. */
function namesIn(directory: string): readonly string[] {
	try {
		return readdirSync(directory).sort();
	} catch {
		return [];
	}
}

function look(path: string): Stats | undefined {
	try {
		return lstatSync(path);
	} catch {
		return undefined;
	}
}

function contentOf(path: string, found: Stats): string {
	if (!found.isFile()) return "";
	try {
		return `${JSON.stringify(readFileSync(path, "utf8"))} `;
	} catch {
		return "unreadable ";
	}
}
