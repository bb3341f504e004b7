import { type FSWatcher, watch } from "node:fs";

/** A directory that is to be watched. */
export interface WatchedDirectory {
	/** What tells it from a later directory at the same path, which has to be watched anew. */
	readonly identity: string;
	/** The names in it that matter. Absent where all do. */
	readonly names?: ReadonlySet<string>;
}

interface Watched {
	readonly identity: string;
	readonly watcher: FSWatcher;
}

export interface DirectoryWatchersOptions {
	/** Something changed in one of the directories. */
	readonly onHint: () => void;
	/** The system cannot tell of changes any more. */
	readonly onFailure: (error: Error) => void;
}

/** What is missing or may not be read cannot be watched, and that is no failure of watching. */
const HARMLESS: ReadonlySet<string | undefined> = new Set(["ENOENT", "ENOTDIR", "EACCES", "EPERM", "ELOOP"]);

/**
 * Watches a set of directories, each by itself: on Linux Node watches a tree by reading all of it again, synchronously, with a watcher for
 * each file. Tells that something changed, not what: whoever is told looks for themselves.
 */
export class DirectoryWatchers {
	readonly #options: DirectoryWatchersOptions;
	readonly #watched = new Map<string, Watched>();
	#wanted: ReadonlyMap<string, WatchedDirectory> = new Map();

	constructor(options: DirectoryWatchersOptions) {
		this.#options = options;
	}

	/**
	 * From now on these are watched and no others.
	 *
	 * @returns Whether one was added: what happened in it before is not known.
	 */
	set(wanted: ReadonlyMap<string, WatchedDirectory>): boolean {
		this.#wanted = wanted;
		for (const [path, { identity, watcher }] of this.#watched) {
			if (wanted.get(path)?.identity === identity) continue;
			watcher.close();
			this.#watched.delete(path);
		}
		let isAdded = false;
		for (const [path, { identity }] of wanted) {
			if (this.#watched.has(path)) continue;
			const watcher = this.#start(path);
			if (watcher === "failed") return false;
			if (watcher === undefined) continue;
			this.#watched.set(path, { identity, watcher });
			isAdded = true;
		}
		return isAdded;
	}

	close(): void {
		this.set(new Map());
	}

	#start(path: string): FSWatcher | "failed" | undefined {
		const { onHint, onFailure } = this.#options;
		try {
			const watcher = watch(path, { persistent: false });
			watcher.on("change", (_, name) => {
				const names = this.#wanted.get(path)?.names;
				// Of what happens to the directory itself its own name is told, if any: whoever is above it tells of that, too.
				if (names === undefined || typeof name !== "string" || names.has(name)) onHint();
			});
			// A directory that is removed is an error of its watcher on some systems.
			watcher.on("error", (error: NodeJS.ErrnoException) => (HARMLESS.has(error.code) ? onHint() : onFailure(error)));
			return watcher;
		} catch (error) {
			if (HARMLESS.has((error as NodeJS.ErrnoException).code)) return undefined;
			onFailure(error as Error);
			return "failed";
		}
	}
}
