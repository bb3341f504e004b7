import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { removeTree } from "../remove-tree.js";

/** A file's text, or its text and mode. Without a mode it is executable. */
export type File = string | Uint8Array | { readonly text: string; readonly mode: number };

/** A directory of its own for one test, with these files in it. */
export function temporaryBundle(files: Readonly<Record<string, File>> = {}): string {
	const directory = realpathSync.native(mkdtempSync(join(tmpdir(), "robot-lab-bundle-")));
	onTestFinished(() => removeTree(directory));
	for (const [name, file] of Object.entries(files)) {
		const path = join(directory, name);
		mkdirSync(dirname(path), { recursive: true });
		const { text, mode } = typeof file === "string" || file instanceof Uint8Array ? { text: file, mode: 0o755 } : file;
		writeFileSync(path, text, { mode });
	}
	return directory;
}
