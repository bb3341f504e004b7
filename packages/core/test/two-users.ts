import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** Two ordinary users, whether or not the system has names for them, each with a group of its own, and a group that both may be in. */
export const VICTIM = 4001;
export const EVE = 4002;
export const SHARED_GROUP = 5000;

/** Why there cannot be two users here; nothing where there can. */
export const noTwoUsers: string | undefined = process.getuid?.() === 0 ? undefined : "only root may act as two users";

/** `groups`: the first one and the others. What `act` does, this process does as another user, to the system and to itself. Nothing else may happen in the process meanwhile. */
export async function as<T>(uid: number, act: () => T | Promise<T>, groups: readonly number[] = [uid]): Promise<T> {
	const before = process.getgroups?.() ?? [];
	process.setgroups?.([...groups]);
	process.setegid?.(groups[0] ?? uid);
	process.seteuid?.(uid);
	try {
		return await act();
	} finally {
		process.seteuid?.(0);
		process.setegid?.(0);
		process.setgroups?.(before);
	}
}

/** A directory of root's that everybody may enter, wherever the tests' own temporary directories are. */
export function placeForAll(): string {
	const directory = mkdtempSync(join("/tmp", "robot-lab-users-"));
	onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
	chmodSync(directory, 0o755);
	return directory;
}
