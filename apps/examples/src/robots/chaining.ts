// 09: changing a robot. Each change holds from the next run on, and answers with the robot, so that changes can be chained.
import { ConfigurationError, configure, createTool, Robot } from "@robot-lab/core";
import { ScriptedModel } from "@robot-lab/core/testing";
import { PROMPTS } from "./prompts-directory.js";

configure({ templatePath: PROMPTS });

const model = new ScriptedModel(["One.", "Two.", "Three.", "Four.", "Five."]);
const clock = createTool({ name: "clock", description: "What time it is.", execute: () => "09:00" });
const robot = new Robot({ name: "helper", model, systemPrompt: "Be brief.", temperature: 0.2 });

await robot.run("As it was made");

await robot.withTemperature(0.9).withInstructions("Tell a story.").withTool(clock).run("Chained");

// several options at once; `undefined` takes one away
await robot.update({ systemPrompt: undefined, localTools: [], maxTokens: 200 }).run("Updated");

// the template says 0.3; what the robot itself was told counts more
await robot.withTemplate("shop/assistant", { company: "Leaf & Kettle", tone: "formal" }).run("With a template");

// a change that cannot be is refused, and the robot is as it was
const written = JSON.parse('{ "temprature": 2 }');
try {
	robot.update(written);
} catch (error) {
	if (ConfigurationError.isInstance(error)) console.log(`Refused: ${error.message.split(" It knows")[0]}`);
}
await robot.run("After a mistake");

for (const { prompt, temperature, maxOutputTokens, tools = [] } of model.calls) {
	const system = prompt.find(({ role }) => role === "system")?.content ?? "no instructions";
	const limit = maxOutputTokens === undefined ? "no limit" : `${maxOutputTokens} tokens`;
	console.log(`${temperature}, ${limit}, tools: ${tools.map(({ name }) => name).join(" ") || "none"}, ${system}`);
}
console.log(`Still one conversation: ${robot.messages.length} messages`);
