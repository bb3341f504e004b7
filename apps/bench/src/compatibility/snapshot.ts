import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

/** What of a repository was measured. */
export interface Snapshot {
	/** The first ten digits. */
	readonly commit: string;
	/** Of the commit, as `2026-05-07`. */
	readonly date: string;
}

/** The commit that is checked out in a folder; `undefined` where it is no checkout. */
export async function snapshotOf(folder: string): Promise<Snapshot | undefined> {
	try {
		const { stdout } = await promisify(execFile)("git", [
			`--git-dir=${join(folder, ".git")}`,
			"log",
			"-1",
			"--abbrev=10",
			"--format=%h %cs",
		]);
		const [commit = "", date = ""] = stdout.trim().split(" ");
		return { commit, date };
	} catch {
		return undefined;
	}
}
