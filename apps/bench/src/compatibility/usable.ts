import { stat } from "node:fs/promises";
import { join } from "node:path";
import { type AgentSkill, configure } from "@robot-lab/core";
import { beginningOf } from "./beginning.js";
import { isReadBy, readerOf, worksInReference } from "./reader.js";

/** How many bundles have at least one script that can be used: a tool that the right program reads. */
export interface UsableBundles {
	/** Bundles with a directory `scripts/`, whatever is in it. */
	readonly withDirectory: number;
	/** By the rule of robot_lab for Ruby. */
	readonly reference: number;
	/** As things are by default, with the rule of the executable bit. */
	readonly executable: number;
	/** Without that rule. */
	readonly any: number;
	/** With scripts in deeper directories besides. */
	readonly nested: number;
	/** Tools of any of these that another program would read than their first line or extension says: must be none. */
	readonly misread: readonly string[];
}

/** Counts them, and leaves the configuration with neither rule nor limit of depth. Runs no script. */
export async function usableBundles(skills: readonly AgentSkill[]): Promise<UsableBundles> {
	const withScripts: AgentSkill[] = [];
	for (const skill of skills) if (await isDirectory(join(skill.path, "scripts"))) withScripts.push(skill);
	const reference = await countWhere(withScripts, hasOneByReference);
	const misread = new Set<string>();
	const hasTool = (skill: AgentSkill): Promise<boolean> => hasReadTool(skill, misread);
	const executable = await countWhere(withScripts, hasTool);
	configure({ scripts: { requireExecutable: false } });
	const any = await countWhere(withScripts, hasTool);
	configure({ scripts: { nested: true } });
	const nested = await countWhere(withScripts, hasTool);
	return { withDirectory: withScripts.length, reference, executable, any, nested, misread: [...misread] };
}

async function countWhere(skills: readonly AgentSkill[], holds: (skill: AgentSkill) => Promise<boolean>): Promise<number> {
	let count = 0;
	for (const skill of skills) if (await holds(skill)) count++;
	return count;
}

async function hasOneByReference(skill: AgentSkill): Promise<boolean> {
	for (const path of await skill.scripts()) {
		if (worksInReference(readerOf(path, await beginningOf(path)), (await stat(path)).mode)) return true;
	}
	return false;
}

async function hasReadTool(skill: AgentSkill, misread: Set<string>): Promise<boolean> {
	let found = false;
	for (const inspection of await skill.inspectScripts()) {
		if (inspection.kind !== "script") continue;
		const { path, command } = inspection;
		if (isReadBy(command, readerOf(path, await beginningOf(path)))) found = true;
		else misread.add(`${path}: ${command.slice(0, -1).join(" ")}`);
	}
	return found;
}

const isDirectory = (path: string): Promise<boolean> =>
	stat(path).then(
		(found) => found.isDirectory(),
		() => false,
	);
