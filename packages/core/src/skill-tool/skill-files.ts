import { readdir, realpath } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import { LeadsOutError } from "../paths/opened-within.js";
import { NotAFileError, readFileStart } from "../paths/read-file-start.js";
import { isAtOrBelow } from "../paths/segments.js";
import { type AgentSkill, placeOf } from "../skill/agent-skill.js";

/** How far a bundle is looked through for files that its instructions may name. */
const MAX_DEPTH = 4;
const MAX_FILES = 50;
const SKIPPED = new Set(["node_modules", "__pycache__"]);

/**
 * Files of a bundle that a model may read besides its SKILL.md and its scripts, relative to it, sorted, at most 50. Dotfiles, licences and links are
 * passed over. Never rejects: what cannot be listed has none.
 */
export async function skillFiles(skill: Pick<AgentSkill, "path">): Promise<readonly string[]> {
	const found: string[] = [];
	try {
		const root = placeOf(skill);
		if ((await realpath(root)) === root) await collect(root, "", MAX_DEPTH, found);
	} catch {
		// It is not there any more.
	}
	return found.sort();
}

async function collect(root: string, below: string, depth: number, found: string[]): Promise<void> {
	const entries = await readdir(join(root, below), { withFileTypes: true }).catch(() => []);
	for (const entry of entries.sort((one, other) => (one.name < other.name ? -1 : 1))) {
		if (found.length >= MAX_FILES) return;
		const name = below === "" ? entry.name : `${below}/${entry.name}`;
		if (entry.isFile() && isReading(name)) found.push(name);
		if (entry.isDirectory() && depth > 1 && isLookedInto(name)) await collect(root, name, depth - 1, found);
	}
}

const isReading = (name: string): boolean => name !== "SKILL.md" && !/(^|\/)(\.|licen[cs]e(\.|$))/i.test(name);

const isLookedInto = (name: string): boolean => name !== "scripts" && !/(^|\/)\./.test(name) && !SKIPPED.has(name.split("/").at(-1) ?? "");

/** The beginning of a file of a bundle, or why it is not read, as a line for the model. */
export type SkillFileText =
	| { readonly ok: true; readonly bytes: Buffer; readonly size: number }
	| { readonly ok: false; readonly message: string };

/**
 * Reads a file of a bundle. What lies outside of it is not read, by whatever links and dots it is named. A script that runs meanwhile may put a link in
 * the place of a directory, the bundle's own included: so it is the file that was opened that has to lie where the bundle was when it was loaded.
 */
export async function readSkillFile(skill: Pick<AgentSkill, "path">, path: string, maxBytes: number): Promise<SkillFileText> {
	if (isAbsolute(path) || path.includes("\0")) return refused(path, "name it relative to the bundle's directory");
	try {
		const root = placeOf(skill);
		const real = await realpath(join(root, path));
		if (!isAtOrBelow(real, root)) return refused(path, "it leads out of the skill");
		const { bytes, size } = readFileStart(real, maxBytes, root);
		return { ok: true, bytes, size };
	} catch (error) {
		if (error instanceof LeadsOutError) return refused(path, "it leads out of the skill");
		if (error instanceof NotAFileError) return refused(path, "it is no ordinary file");
		const { code } = error as NodeJS.ErrnoException;
		return refused(
			path,
			code === "ENOENT" || code === "ENOTDIR" ? "there is no such file" : `it cannot be read (${code ?? String(error)})`,
		);
	}
}

const refused = (path: string, reason: string): SkillFileText => ({
	ok: false,
	message: `Cannot read ${JSON.stringify(path)}: ${reason}.`,
});
