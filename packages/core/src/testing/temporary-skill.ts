import { chmod, mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** A bundle in a directory of its own, for as long as a test needs it. `await using` removes it. */
export interface TemporarySkill extends AsyncDisposable {
	/** The directory around the bundle, for a catalog. Absolute and without symbolic links. */
	readonly root: string;
	/** The bundle's directory. */
	readonly path: string;
	/** The path of its SKILL.md. */
	readonly skillMdPath: string;
	/** The absolute path of a file of the bundle. */
	file(relativePath: string): string;
}

/** File contents by path within the bundle. What lies in `scripts/` gets its executable bit. */
export type SkillFiles = Readonly<Record<string, string | Uint8Array>>;

const DEFAULT_SKILL_MD = "---\nname: temporary-skill\ndescription: A skill made for a test.\n---\n\nRun the script.\n";

/** Writes a bundle into the temporary directory. Without a `SKILL.md` it is called `temporary-skill`; its directory has its name. */
export async function temporarySkill(files: SkillFiles = {}): Promise<TemporarySkill> {
	const bundle: SkillFiles = { "SKILL.md": DEFAULT_SKILL_MD, ...files };
	const root = await realpath(await mkdtemp(join(tmpdir(), "robot-lab-skill-")));
	const path = join(root, directoryName(bundle["SKILL.md"]));
	for (const [name, content] of Object.entries(bundle)) await writeBundleFile(join(path, name), content, name.startsWith("scripts/"));
	return {
		root,
		path,
		skillMdPath: join(path, "SKILL.md"),
		file: (relativePath) => join(path, relativePath),
		[Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true }),
	};
}

async function writeBundleFile(path: string, content: string | Uint8Array, executable: boolean): Promise<void> {
	await mkdir(dirname(path), { recursive: true });
	await writeFile(path, content);
	if (executable) await chmod(path, 0o755);
}

function directoryName(skillMd: string | Uint8Array | undefined): string {
	const name = /^name:\s*["']?([\w-]+)/m.exec(String(skillMd))?.[1];
	return name ?? "temporary-skill";
}
