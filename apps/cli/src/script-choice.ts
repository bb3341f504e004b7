import { type AgentSkill, ScriptTool } from "@robot-lab/core";
import { knownNames } from "./catalog.js";
import { UsageError } from "./exit.js";
import { printableLine } from "./render/printable.js";
import { type ScriptView, scriptsOf } from "./skill-view.js";

export type RunnableScript = Extract<ScriptView, { tool: string }>;

/** A skill's script by file name or tool name. An unknown one, or a file that is no tool, is wrong usage. */
export async function requireScript(skill: AgentSkill, name: string): Promise<RunnableScript> {
	const scripts = await scriptsOf(skill);
	const found =
		scripts.find(({ file, tool }) => [file, tool, `${skill.name}__${tool}`].includes(name)) ??
		scripts.find(
			({ file, tool }) => tool === null && [`${skill.name}__`, ""].some((start) => name === start + ScriptTool.deriveName(file)),
		);
	if (found === undefined) {
		const tools = scripts.flatMap(({ tool }) => (tool === null ? [] : [tool]));
		const next = tools.length === 0 ? "It has no script that can be run." : knownNames(name, tools);
		throw new UsageError(`There is no script "${printableLine(name, 80)}" in the skill ${printableLine(skill.name, 80)}. ${next}`);
	}
	if (found.tool === null) throw new UsageError(whyNoTool(found.file, found.reason));
	return found;
}

/** What is said of a file mostly begins with its name. */
function whyNoTool(file: string, reason: string): string {
	const said = printableLine(reason, 1000);
	return reason.startsWith(`${file} is `) ? said : `${printableLine(file, 80)} is no tool: ${said}`;
}

/** The script that was named, else the first that can be run; `undefined` where a skill has none. */
export async function chooseScript(skill: AgentSkill, name: string | undefined): Promise<RunnableScript | undefined> {
	if (name !== undefined) return requireScript(skill, name);
	return (await scriptsOf(skill)).find((script): script is RunnableScript => script.tool !== null);
}
