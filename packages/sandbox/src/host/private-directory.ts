import { randomUUID } from "node:crypto";
import { mkdtempSync, realpathSync, renameSync, rmdirSync, rmSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { PROFILE_DIRECTORY_PREFIX } from "./profile-directory.js";
import { unlockTree } from "./unlock-tree.js";

/** A directory that only this user can enter, under a name nobody can guess. */
export interface PrivateDirectory {
	/** Real and absolute. */
	readonly path: string;
	/** Removes it with all it holds. Idempotent, never throws. */
	remove(): Promise<void>;
}

const existing = new Set<string>();
let removesAtExit = false;

/** Makes a directory of mode 0700 in another one, by default the system's temporary directory. It is gone at the latest when the process exits. Rejects with the file system's error. */
export async function createPrivateDirectory(prefix: string, parent: string = tmpdir()): Promise<PrivateDirectory> {
	// On this thread: two calls take a fraction of what it takes to hand them to another one and hear of it.
	const path = mkdtempSync(join(realpathSync.native(parent), prefix));
	existing.add(path);
	removeAtExit();
	return {
		path,
		async remove() {
			if (existing.delete(path) && !removedEmpty(path)) await removeTree(path);
		},
	};
}

/** Most are empty again, and that is said quickest. */
function removedEmpty(path: string): boolean {
	try {
		rmdirSync(path);
		return true;
	} catch {
		return false;
	}
}

function removeAtExit(): void {
	if (removesAtExit) return;
	removesAtExit = true;
	process.once("exit", () => {
		for (const path of existing) removeNow(path);
	});
}

function removeNow(path: string): void {
	try {
		rmSync(setAside(path), { recursive: true, force: true });
	} catch {
		// Nobody is left to tell.
	}
}

async function removeTree(path: string): Promise<void> {
	const aside = setAside(path);
	try {
		await rm(aside, { recursive: true, force: true });
	} catch {
		// A script may have locked its own directories.
		await unlockTree(aside);
		await rm(aside, { recursive: true, force: true }).catch(() => {});
	}
}

/** Under a name that no grant knows: what a script may have left running finds no place any more to put links into. */
function setAside(path: string): string {
	const aside = join(dirname(path), `${PROFILE_DIRECTORY_PREFIX}removed-${randomUUID()}`);
	try {
		renameSync(path, aside);
		return aside;
	} catch {
		return path;
	}
}
