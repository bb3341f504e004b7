import type { Dirent } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";

/** Files below the directories in a bundle's `scripts/`. */
export interface NestedFiles {
	/** Below `scripts/`, with slashes, directory by directory, each sorted. */
	readonly files: readonly { readonly name: string; readonly isLink: boolean }[];
	/** Whether there are more, deeper or later, that were not looked at. */
	readonly isCut: boolean;
}

/** How many directories deep files are looked for. */
const MAX_DEPTH = 4;
const MAX_ENTRIES = 2_000;
/** What tools keep beside sources, and what only a test runner starts. */
const SKIPPED: ReadonlySet<string> = new Set([
	"node_modules",
	"__pycache__",
	"venv",
	"site-packages",
	"test",
	"tests",
	"__tests__",
	"fixtures",
]);

/** Lists them without following a link to a directory. A directory that cannot be listed has none. Never rejects. */
export async function listNested(scriptsDirectory: string): Promise<NestedFiles> {
	const files: NestedFiles["files"][number][] = [];
	let isCut = false;
	let entriesLeft = MAX_ENTRIES;
	const look = async (below: string, depth: number): Promise<void> => {
		for (const entry of await entriesOf(join(scriptsDirectory, below))) {
			const path = below === "" ? entry.name : `${below}/${entry.name}`;
			if (entry.isDirectory()) {
				if (entry.name.startsWith(".") || SKIPPED.has(entry.name)) continue;
				if (depth === MAX_DEPTH) isCut = true;
				else await look(path, depth + 1);
			} else if (below !== "" && (entry.isFile() || (entry.isSymbolicLink() && (await leadsToFile(join(scriptsDirectory, path)))))) {
				if (entriesLeft-- > 0) files.push({ name: path, isLink: entry.isSymbolicLink() });
				else isCut = true;
			}
			if (entriesLeft < 0) return;
		}
	};
	await look("", 0);
	return { files, isCut };
}

async function entriesOf(directory: string): Promise<readonly Dirent[]> {
	try {
		const entries = await readdir(directory, { withFileTypes: true });
		return entries.sort((one, other) => (one.name < other.name ? -1 : 1));
	} catch {
		return [];
	}
}

async function leadsToFile(link: string): Promise<boolean> {
	return stat(link).then(
		(found) => found.isFile(),
		() => false,
	);
}
