import { type GetPromptResult, type Prompt, ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { knownNames } from "../catalog.js";
import { printable, printableLine } from "../render/printable.js";
import type { Served } from "./served-skills.js";

/** One prompt for each skill: what people pick by name in clients that know nothing of skills. */
export function listedPrompts({ skills }: Served): Prompt[] {
	return [...skills.values()].map(({ name, description }) => ({ name, title: printableLine(name), description: printable(description) }));
}

/** The instructions of a skill, with the names of its tools, which the instructions only know as files. */
export function promptOf(name: string, { skills, tools }: Served): GetPromptResult {
	const skill = skills.get(name);
	if (skill === undefined) {
		const message = `There is no prompt "${printableLine(name, 80)}". ${knownNames(name, [...skills.keys()])}`;
		throw new ProtocolError(ProtocolErrorCode.InvalidParams, message);
	}
	const own = [...tools].filter(([, served]) => served.skill === skill).map(([tool, served]) => `${tool} (${served.script})`);
	const parts = [skill.instructions, `Directory of the skill: ${JSON.stringify(skill.path)}`];
	if (own.length > 0) parts.push(`Tools that run its scripts: ${own.join(", ")}`);
	const text = parts.filter((part) => part !== "").join("\n\n");
	return { description: printable(skill.description), messages: [{ role: "user", content: { type: "text", text } }] };
}
