import { chmodSync, lstatSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

/** Removes a directory with all that is in it, directories that a test has locked too: only root can empty those as they are. */
export function removeTree(directory: string): void {
	unlock(directory);
	rmSync(directory, { recursive: true, force: true });
}

function unlock(directory: string): void {
	if (lstatSync(directory, { throwIfNoEntry: false })?.isDirectory() !== true) return;
	chmodSync(directory, 0o700);
	for (const entry of readdirSync(directory, { withFileTypes: true })) if (entry.isDirectory()) unlock(join(directory, entry.name));
}
