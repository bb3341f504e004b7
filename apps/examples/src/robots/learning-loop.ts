// 21: a robot that is told what was wrong does better the next time. What it learned is read before every later message.
import { Robot } from "@robot-lab/core";
import { ScriptedModel, type ScriptedRound } from "@robot-lab/core/testing";

// Stands for a model that heeds what it reads.
const heeding: ScriptedRound = ({ prompt }) => {
	const read = JSON.stringify(prompt.at(-1)?.content);
	const amount = read.includes("grams") ? "340 g" : "12 oz";
	return read.includes("French") ? `${amount} de thé, s'il vous plaît.` : `${amount} of tea, please.`;
};
const model = new ScriptedModel([heeding, heeding, heeding, heeding]);
const writer = new Robot({ name: "writer", model });

/** What the user says is wrong with an order, if anything. */
function feedback(order: string): string | undefined {
	if (!order.includes("g ")) return "Write weights in grams.";
	if (!order.includes("thé")) return "The supplier reads French.";
	return undefined;
}

for (let attempt = 1; attempt <= 5; attempt++) {
	const order = (await writer.run("Order 12 ounces of tea.")).lastTextContent ?? "";
	const lesson = feedback(order);
	console.log(`${attempt}. ${order} ${lesson ?? "Right."}`);
	if (lesson === undefined) break;
	await writer.learn(lesson);
}

await writer.learn("Write weights in grams."); // known already
await writer.learn("The supplier reads French. Be formal."); // takes the place of what it contains
console.log(`Learned: ${writer.learnings.join(" | ")}`);

// Learnings are in the robot's memory. Whatever keeps them, a later robot can begin with them.
const kept = JSON.stringify(writer.learnings);
const later = new Robot({ name: "later", model });
later.memory.set("learnings", JSON.parse(kept));
console.log(`Later: ${(await later.run("Order 12 ounces of tea.")).lastTextContent}`);
