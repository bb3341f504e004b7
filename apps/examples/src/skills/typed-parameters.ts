// A script declares in comments what it takes; the model sees names and types, slips are mended or said, and nothing else reaches the script.
import { relative } from "node:path";
import { AgentSkillCatalog, Robot, readScriptInput, scriptHelp, scriptSourceOf } from "@robot-lab/core";
import { ScriptedModel } from "@robot-lab/core/testing";
import { SKILLS } from "../stories/example-files.js";

const catalog = new AgentSkillCatalog(SKILLS);
const skill = await catalog.find("markdown-links");
const [check] = (await skill?.scriptTools()) ?? [];
if (check === undefined) throw new Error("markdown-links has one script, and it is a tool");

console.log("What the model is told:");
console.log(JSON.stringify(check.parameters, null, 2));

console.log("\nWhat the script is given for what a model sends:");
const parameters = scriptSourceOf(check)?.parameters;
for (const input of [
	{ paths: ["README.md", "docs"], strict: true },
	{ paths: "it's here.md", Strict: "true" },
	{ paths: ["--help", "; rm -rf ~"] },
	{ paths: [] },
	{ path: "docs" },
	{ paths: "docs", strict: "maybe" },
]) {
	const read = readScriptInput(parameters, input);
	console.log(`${JSON.stringify(input)}\n  ${read.ok ? JSON.stringify(read.value.args) : read.message}`);
}

console.log("\nA robot that errs once:");
const handbook = relative(process.cwd(), `${SKILLS}/../data/handbook`);
const robot = new Robot({
	name: "editor",
	skills: catalog,
	// in the place of "anthropic/claude-sonnet-4-5"
	model: new ScriptedModel([
		{ toolCalls: [{ name: "markdown-links__check", args: { folder: handbook } }] },
		{ toolCalls: [{ name: "markdown-links__check", args: { paths: handbook } }] },
		"Three links are broken.",
	]),
});
const { toolCalls, lastTextContent } = await robot.run("Check the Markdown links of the handbook before we publish.");
for (const { content } of toolCalls) console.log(content.trimEnd());
console.log(lastTextContent);

console.log("\nWhat the script says of itself, which it is run for:");
console.log((await scriptHelp(check))?.split("\n")[0]);
