// The scripts of a skill for a program that has the AI SDK and no robot: by the same names, with the same types; confined once it imports @robot-lab/sandbox and enables it.
import { relative } from "node:path";
import { AgentSkillCatalog, toAiSdkTools } from "@robot-lab/core";
import { ScriptedModel } from "@robot-lab/core/testing";
import { generateText, isStepCount } from "ai";
import { SKILLS } from "../stories/example-files.js";

const skill = await new AgentSkillCatalog(SKILLS).find("markdown-links");
if (skill === undefined) throw new Error("there is a skill markdown-links");
const tools = await toAiSdkTools(skill);
for (const [name, { description }] of Object.entries(tools)) console.log(`${name}: ${description}`);

const handbook = relative(process.cwd(), `${SKILLS}/../data/handbook`);
const { steps, text } = await generateText({
	// in the place of anthropic("claude-sonnet-4-5")
	model: new ScriptedModel([
		{ toolCalls: [{ name: "markdown-links__check", args: { path: handbook } }] },
		{ toolCalls: [{ name: "markdown-links__check", args: { paths: [handbook] } }] },
		"Three links are broken.",
	]),
	// what the SDK does not do by itself: the skill's instructions
	instructions: skill.instructions,
	tools,
	stopWhen: isStepCount(4),
	prompt: "Check the Markdown links of the handbook before we publish.",
});

for (const part of steps.flatMap(({ content }) => content)) {
	if (part.type === "tool-result") console.log(`\n${String(part.output).trimEnd()}`);
	if (part.type === "tool-error") console.log(`\nerror: ${part.error instanceof Error ? part.error.message : part.error}`);
}
console.log(`\n${text}`);
