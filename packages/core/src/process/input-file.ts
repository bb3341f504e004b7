import { openSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * A descriptor from which `text` is read once. A file without a name: a child can open it again through `/dev/stdin`, which a
 * socket forbids, and a child that never reads it blocks nobody.
 */
export async function openInput(text: string): Promise<number> {
	const directory = await mkdtemp(join(tmpdir(), "robot-lab-"));
	try {
		const path = join(directory, "stdin");
		await writeFile(path, text, { mode: 0o600, flag: "wx" });
		return openSync(path, "r");
	} finally {
		await rm(directory, { recursive: true, force: true });
	}
}
