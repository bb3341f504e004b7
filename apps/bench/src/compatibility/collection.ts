import { readdir } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import {
	AgentSkill,
	configure,
	findBundles,
	reloadConfig,
	type SkillDiagnostic,
	type ValidationMode,
	validateSkill,
} from "@robot-lab/core";
import { type MeasuredScript, measureScripts } from "./scripts.js";
import { type Snapshot, snapshotOf } from "./snapshot.js";
import { type UsableBundles, usableBundles } from "./usable.js";

/** What became of the bundles of one collection. */
export interface CollectionFigures {
	/** As its folder and the one above are called: `owner/name`. */
	readonly name: string;
	/** Absent where the folder is no checkout. */
	readonly snapshot?: Snapshot;
	/** Files named SKILL.md, at any depth. */
	readonly bundles: number;
	/** Bundles that are found below the folder, as in a root. */
	readonly discovered: number;
	readonly loaded: { readonly lenient: number; readonly strict: number };
	/** Bundles that neither load nor have a diagnostic: must be none. */
	readonly silent: readonly string[];
	readonly diagnostics: { readonly lenient: readonly SkillDiagnostic[]; readonly strict: readonly SkillDiagnostic[] };
	/** Why a bundle did not load leniently. */
	readonly refused: readonly { readonly path: string; readonly reason: string }[];
	readonly scripts: readonly MeasuredScript[];
	readonly usable: UsableBundles;
	/** Tools with and without the rule of the executable bit, and those with scripts in deeper directories besides. */
	readonly tools: { readonly executable: number; readonly any: number; readonly nested: number };
}

/** Measures one collection that lies in a folder. Runs none of its scripts. */
export async function measureCollection(folder: string): Promise<CollectionFigures> {
	reloadConfig();
	const files = await skillFiles(folder);
	const loaded: AgentSkill[] = [];
	const refused: { path: string; reason: string }[] = [];
	for (const path of files) {
		try {
			loaded.push(await AgentSkill.load(path, { validation: "lenient" }));
		} catch (error) {
			refused.push({ path, reason: (error as Error).message });
		}
	}
	const lenient = await diagnose(files, "lenient");
	const strict = await diagnose(files, "strict");
	const silent = refused
		.filter(({ path }) => !lenient.some((found) => found.path === path && found.severity === "error"))
		.map(({ path }) => path);
	const refusedStrictly = new Set(
		strict.filter(({ severity, path }) => severity === "error" && basename(path) === "SKILL.md").map(({ path }) => path),
	);
	const executable = await toolCount(loaded);
	configure({ scripts: { requireExecutable: false } });
	const scripts = (await Promise.all(loaded.map((skill) => measureScripts(skill)))).flat();
	const any = await toolCount(loaded);
	configure({ scripts: { nested: true } });
	const nested = await toolCount(loaded);
	reloadConfig();
	const usable = await usableBundles(loaded);
	const snapshot = await snapshotOf(folder);
	return {
		name: `${basename(dirname(resolve(folder)))}/${basename(resolve(folder))}`,
		...(snapshot !== undefined && { snapshot }),
		bundles: files.length,
		discovered: (await findBundles(folder)).bundles.length,
		loaded: { lenient: loaded.length, strict: files.length - refusedStrictly.size },
		silent,
		diagnostics: { lenient, strict },
		refused,
		scripts,
		usable,
		tools: { executable, any, nested },
	};
}

async function diagnose(files: readonly string[], mode: ValidationMode): Promise<readonly SkillDiagnostic[]> {
	const found: SkillDiagnostic[] = [];
	for (const path of files) found.push(...(await validateSkill(path, { validation: mode })));
	return found;
}

async function skillFiles(folder: string): Promise<readonly string[]> {
	const entries = await readdir(folder, { recursive: true, withFileTypes: true });
	return entries
		.filter((entry) => entry.isFile() && entry.name === "SKILL.md")
		.map(({ parentPath, name }) => join(parentPath, name))
		.sort();
}

async function toolCount(skills: readonly AgentSkill[]): Promise<number> {
	const tools = await Promise.all(skills.map((skill) => skill.scriptTools()));
	return tools.flat().length;
}
