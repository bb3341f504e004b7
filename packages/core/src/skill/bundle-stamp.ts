import { createHash } from "node:crypto";
import type { Dirent } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { SKILL_FILE } from "./look-into.js";

/** What a bundle looked like from outside, without its contents being read. */
export interface BundleStamp {
	/** Another one when anything in it was written, added, removed or given another mode. */
	readonly text: string;
	/** The bundle's directory and those in it, each with what tells it from a later one at the same path. */
	readonly directories: ReadonlyMap<string, string>;
	/** Whether there is more in it, deeper or later, that may change unnoticed. */
	readonly isCut: boolean;
}

/** What is looked at: first SKILL.md, then all in `scripts/`, of which the catalog speaks, then the rest. */
export const MAX_ENTRIES = 1000;
const MAX_DEPTH = 6;

/** Never rejects: what cannot be looked at looks like nothing. */
export async function stampBundle(bundle: string): Promise<BundleStamp> {
	const directories = new Map<string, string>();
	const hash = createHash("sha256");
	let left = MAX_ENTRIES;
	let isCut = false;
	let isDeeper = false;
	const walk = async (directory: string, depth: number): Promise<void> => {
		directories.set(directory, await identityOf(directory));
		const entries = await readdir(directory, { withFileTypes: true }).catch(() => []);
		const rank = depth === 1 ? rankInBundle : filesFirst;
		for (const entry of entries.sort((one, other) => rank(one) - rank(other) || (one.name < other.name ? -1 : 1))) {
			left -= 1;
			if (left < 0) isCut = true;
			if (isCut) return;
			const path = join(directory, entry.name);
			// A link is followed to the file it leads to, and into no directory.
			if (!entry.isDirectory()) hash.update(`${path}\0${await lookOf(path)}\0`);
			else if (entry.name === ".git" || entry.name === "node_modules") continue;
			else if (depth < MAX_DEPTH) await walk(path, depth + 1);
			else isDeeper = true;
		}
	};
	await walk(bundle, 1);
	return { text: hash.digest("base64"), directories, isCut: isCut || isDeeper };
}

const rankInBundle = ({ name }: Dirent): number => (name === SKILL_FILE ? 0 : name === "scripts" ? 1 : 2);

/** Scripts lie directly in `scripts/`, whatever lies deeper there. */
const filesFirst = (entry: Dirent): number => (entry.isDirectory() ? 1 : 0);

/** Numbers of files are given again to later ones; that and the time it was made are not. */
export async function identityOf(path: string): Promise<string> {
	return stat(path, { bigint: true }).then(
		({ dev, ino, birthtimeNs }) => `${dev}:${ino}:${birthtimeNs}`,
		() => "",
	);
}

async function lookOf(path: string): Promise<string> {
	return stat(path, { bigint: true }).then(
		({ dev, ino, size, mode, mtimeNs, ctimeNs }) => `${dev}:${ino}:${size}:${mode}:${mtimeNs}:${ctimeNs}`,
		() => "",
	);
}
