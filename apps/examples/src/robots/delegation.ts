// 24: handing work on: one robot after the other, several side by side, and one that takes too long.
import { createTool, DelegationTimeoutError, Robot } from "@robot-lab/core";
import { ScriptedModel } from "@robot-lab/core/testing";

const expert = (name: string): Robot =>
	new Robot({ name, model: new ScriptedModel([1, 2, 3].map((time) => ({ text: `${name} is done, time ${time}.`, delayMs: 10 }))) });
const experts = ["taster", "buyer", "lawyer"].map(expert);

const lead: Robot = new Robot({
	name: "lead",
	model: new ScriptedModel([{ toolCalls: [{ name: "ask_everybody" }] }, "Everybody agrees."]),
	localTools: [
		createTool({
			name: "ask_everybody",
			description: "Asks all experts.",
			// with `parent` the experts' runs stand in the log, beneath the call that began them, and end with it at the latest
			execute: async (_, { run }) => {
				const futures = experts.map((each) => lead.delegate(each, "May we sell this tea?", run && { parent: run }));
				return (await Promise.all(futures)).map(({ lastTextContent }) => lastTextContent).join("\n");
			},
		}),
	],
});

// Which of the experts' runs begin and end, in order.
const seen: string[] = [];
for (const each of experts) {
	each.on("event", ({ event, data }) => {
		if (event === "run.started") seen.push(`${data.name} begins`);
		if (event === "run.completed") seen.push(`${data.name} ends`);
	});
}

// One after the other: what is awaited comes before the next begins.
for (const each of experts) {
	const { robotName, delegatedBy, lastTextContent } = await lead.delegate(each, "Have a look.");
	console.log(`${robotName} for ${delegatedBy}: ${lastTextContent}`);
}
console.log(`One after the other: ${seen.splice(0).join(", ")}`);

// Side by side: all begin before one of them ends. `delegate` answers with a future at once.
const futures = experts.map((each) => lead.delegate(each, "Have another look."));
console.log(`Settled at first: ${futures.filter(({ isSettled }) => isSettled).length} of ${futures.length}`);
await Promise.all(futures);
const together = seen.splice(0);
console.log(`Side by side: ${together.slice(0, 3).join(", ")}, then ${together.length - 3} ends`);

// A deadline stops the work, and whoever waits for it is told.
const slow = new Robot({ name: "slow", model: new ScriptedModel({ text: "Let me think", hang: true }) });
try {
	await lead.delegate(slow, "Prove it.", { timeoutMs: 50 });
} catch (error) {
	if (DelegationTimeoutError.isInstance(error)) console.log(`Too late: ${error.robotName} had ${error.timeoutMs} ms`);
}

// From inside a tool: one log has everything.
const tree: string[] = [];
lead.on("event", ({ event, data }) => {
	if (event === "run.started") tree.push(data.parentRunId === undefined ? data.name : `  ${data.name}, beneath it`);
});
console.log((await lead.run("May we sell this tea?")).lastTextContent);
console.log(tree.join("\n"));
