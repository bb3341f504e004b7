import { constants } from "node:fs";
import { chmod, type FileHandle, lchmod, open, readdir } from "node:fs/promises";
import { join } from "node:path";

const { O_DIRECTORY, O_NOFOLLOW, O_RDONLY } = constants;
/** Linux alone, and without a name in Node: opens what may not be read either, as a place and no more. */
const O_PATH = 0o10000000;

/**
 * Makes a directory and all directories in it such that their owner may enter and empty them. Follows no link that is put in the
 * place of a directory: what lies behind it keeps its mode. Never throws; what cannot be unlocked stays as it is.
 */
export async function unlockTree(path: string): Promise<void> {
	try {
		await unlockDirectory(path, async (entered) => {
			const entries = await readdir(entered, { withFileTypes: true });
			for (const entry of entries) if (entry.isDirectory()) await unlockTree(join(entered, entry.name));
		});
	} catch {
		// What cannot be unlocked cannot be removed either.
	}
}

/**
 * Gives its owner every right to the directory at `path`, and tells `enter` by which path it is reached from now on.
 * Rejects with the system's error for a link and for anything else that is no directory.
 */
export async function unlockDirectory(path: string, enter: (path: string) => Promise<void> = async () => {}): Promise<void> {
	if (process.platform === "linux") {
		await withDirectory(path, O_PATH, async ({ fd }) => {
			const entered = `/proc/self/fd/${fd}`;
			await chmod(entered, 0o700);
			await enter(entered);
		});
		return;
	}
	// Without /proc a directory that may not be read cannot be opened. macOS, and it alone, sets a mode by name without following a link.
	if (process.platform === "darwin") await lchmod(path, 0o700);
	await withDirectory(path, O_RDONLY, async (handle) => {
		await handle.chmod(0o700);
		await enter(path);
	});
}

async function withDirectory(path: string, access: number, use: (handle: FileHandle) => Promise<void>): Promise<void> {
	const handle = await open(path, access | O_DIRECTORY | O_NOFOLLOW);
	try {
		await use(handle);
	} finally {
		await handle.close();
	}
}
