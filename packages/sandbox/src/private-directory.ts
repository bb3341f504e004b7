import { rmSync } from "node:fs";
import { chmod, lstat, mkdtemp, readdir, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A directory that only this user can enter, under a name nobody can guess. */
export interface PrivateDirectory {
	/** Real and absolute. */
	readonly path: string;
	/** Removes it with all it holds. Idempotent, never throws. */
	remove(): Promise<void>;
}

const existing = new Set<string>();
let removesAtExit = false;

/** Makes a directory of mode 0700 in the system's temporary directory. It is gone at the latest when the process exits. Rejects with the file system's error. */
export async function createPrivateDirectory(prefix: string): Promise<PrivateDirectory> {
	const path = await mkdtemp(join(await realpath(tmpdir()), prefix));
	existing.add(path);
	removeAtExit();
	return {
		path,
		async remove() {
			if (existing.delete(path)) await removeTree(path);
		},
	};
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
		rmSync(path, { recursive: true, force: true });
	} catch {
		// Nobody is left to tell.
	}
}

async function removeTree(path: string): Promise<void> {
	try {
		await rm(path, { recursive: true, force: true });
	} catch {
		// A script may have locked its own directories.
		await unlock(path);
		await rm(path, { recursive: true, force: true }).catch(() => {});
	}
}

async function unlock(path: string): Promise<void> {
	try {
		if (!(await lstat(path)).isDirectory()) return;
		await chmod(path, 0o700);
		for (const name of await readdir(path)) await unlock(join(path, name));
	} catch {
		// What cannot be unlocked cannot be removed either.
	}
}
