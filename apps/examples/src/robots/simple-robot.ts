// 01: a robot whose prompt is a file, prompts/shop/assistant.md.
import { configure, Robot } from "@robot-lab/core";
import { ScriptedModel } from "@robot-lab/core/testing";
import { PROMPTS } from "./prompts-directory.js";

configure({ templatePath: PROMPTS });

// Answers from a list, so that nobody needs a key. In its place: "anthropic/claude-sonnet-4-5".
const model = new ScriptedModel(["We open at nine.", "Until six, on Sundays until one."]);

const robot = new Robot({
	name: "assistant",
	model,
	template: "shop/assistant",
	context: { company: "Leaf & Kettle" },
});

const first = await robot.run("When do you open?");
const second = await robot.run("And until when?"); // goes on from what was said

console.log(`Robot:  ${robot.name}. ${robot.description}.`);
console.log(`Prompt: ${model.calls[0]?.prompt[0]?.content}`);
console.log(`Heat:   ${model.calls[0]?.temperature}`);
console.log(`First:  ${first.lastTextContent}`);
console.log(`Second: ${second.lastTextContent}`);
console.log(`Ended:  ${second.stopReason}, after ${robot.messages.length} messages`);
