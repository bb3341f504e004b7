// 17: template skills: pieces of prompts that several templates, or robots, share.
import { configure, Robot } from "@robot-lab/core";
import { ScriptedModel } from "@robot-lab/core/testing";
import { PROMPTS } from "./prompts-directory.js";

configure({ templatePath: PROMPTS });

const model = new ScriptedModel(["Fine.", "Fine."]);
const robot = new Robot({
	name: "reviewer",
	model,
	template: "review/change", // names the skills review/security and tone/brief; review/security names tone/brief, too
	skills: ["tone/kind"], // this robot alone
	context: { file: "login.rb", language: "Ruby" }, // a skill takes its values from the same context
});
await robot.run("Ready?");

await robot.update({ skills: [], context: { file: "login.ts" } }).run("And now?"); // without it, and with the default language

for (const [index, { prompt, temperature }] of model.calls.entries()) {
	// skills come before what names them, the deepest first, each once
	console.log(`Run ${index + 1}, temperature ${temperature}:\n${prompt[0]?.content}\n`);
}
