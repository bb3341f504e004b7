import { lstat, readlink } from "node:fs/promises";
import { join, parse, sep } from "node:path";

/** As many links as systems follow in one path. */
const MAX_LINKS = 40;

/**
 * The names on the ways to some paths that decide where these lead, links followed one by one: whoever puts something else under one of them decides
 * where a path leads, and so does whoever makes the first that is missing. Of one moment: what was looked at is not looked at again.
 */
export class Ways {
	readonly #names = new Map<string, Set<string>>();
	readonly #targets = new Map<string, Promise<string | undefined>>();

	/** By the directory in which they stand. */
	get names(): ReadonlyMap<string, ReadonlySet<string>> {
		return this.#names;
	}

	/** Never rejects: a way ends where it cannot be seen any more. @param path Absolute. */
	async add(path: string): Promise<void> {
		let at = parse(path).root;
		let left = namesOf(path.slice(at.length));
		for (let links = 0; left.length > 0 && links <= MAX_LINKS; ) {
			const [name = "", ...after] = left;
			left = after;
			const next = join(at, name);
			// Links before it were followed, so that two dots lead to what is above the directory that was reached.
			const target = name === ".." ? "" : await this.#look(at, name);
			if (target === undefined) return;
			if (target === "") {
				at = next;
				continue;
			}
			links += 1;
			const { root } = parse(target);
			if (root !== "") at = root;
			left = [...namesOf(target.slice(root.length)), ...left];
		}
	}

	#look(directory: string, name: string): Promise<string | undefined> {
		const names = this.#names.get(directory) ?? new Set();
		this.#names.set(directory, names.add(name));
		const path = join(directory, name);
		const target = this.#targets.get(path) ?? targetOf(path);
		this.#targets.set(path, target);
		return target;
	}
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
