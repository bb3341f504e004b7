// 13: a dispatcher that makes specialists when it first needs them. They are on its bus, which is made with the first one, and have its model.
import assert from "node:assert/strict";
import { BusError, Robot } from "@robot-lab/core";
import { ScriptedModel, type ScriptedRound } from "@robot-lab/core/testing";
import { asked } from "../networks/asked.js";

/** One model for all, as a real one would be: what it says depends on who asks, and what. */
const answer: ScriptedRound = (call) => {
	const who = String(call.prompt[0]?.content);
	const question = asked(call);
	if (who.startsWith("You dispatch")) return /tea|cup/.test(question) ? "taster" : "accountant";
	if (who.includes("taster")) return `Three minutes, at ninety degrees. (${question})`;
	if (who.includes("accountant")) return `24 euros. (${question})`;
	return who.includes("spelling") ? "Two typos." : "One wrong date.";
};
const model = new ScriptedModel(Array.from({ length: 20 }, () => answer));

const dispatcher = new Robot({ name: "dispatcher", model, systemPrompt: "You dispatch questions: reply with the name of a profession." });
console.log(`On a bus: ${dispatcher.bus !== undefined}`);

const specialists = new Map<string, Robot>();

/** The specialist of a profession, made at the first question that needs it. */
function specialistFor(profession: string): Robot {
	const known = specialists.get(profession);
	if (known) return known;
	const made = dispatcher.spawn({ name: profession, systemPrompt: `You are a ${profession}.` });
	made.serve(); // each message that comes is answered by a run of its own
	specialists.set(profession, made);
	console.log(`(hired: ${profession})`);
	return made;
}

async function answerTo(question: string): Promise<void> {
	const { lastTextContent: profession = "" } = await dispatcher.run(question);
	const { name: to } = specialistFor(profession);
	const { from, content } = await dispatcher.ask({ to, content: question, timeoutMs: 5_000 });
	console.log(`${from}: ${content}`);
}

await answerTo("How long does this tea take?");
await answerTo("What do we owe the supplier?");
await answerTo("And a second cup of it?");

// All are on one bus, which was made with the first of them.
const { bus } = dispatcher;
assert.ok(bus);
assert.deepEqual([...specialists.keys()], ["taster", "accountant"]);
for (const specialist of specialists.values()) assert.equal(specialist.bus, bus);
console.log(`On the bus: ${bus.names.join(", ")}`);

// Two workers of one name: each gets every message, and both answer.
dispatcher.spawn({ name: "proofreader", systemPrompt: "You look for spelling." }).serve();
dispatcher.spawn({ name: "proofreader", systemPrompt: "You look for wrong facts." }).serve();
const sent = await dispatcher.sendMessage({ to: "proofreader", content: "In 1806 we oppened the shopp." });
await sent.settled();
const replies = dispatcher.outbox.at(-1)?.replies.map(({ content }) => String(content)) ?? [];
console.log(`${sent.recipients} proofreaders: ${replies.join(" ")}`);
assert.deepEqual([...replies].sort(), ["One wrong date.", "Two typos."]);

// Nobody of that name: nothing is sent, and the error names who comes closest.
try {
	await dispatcher.sendMessage({ to: "acountant", content: "Hello?" });
	assert.fail("it went out");
} catch (error) {
	if (!BusError.isInstance(error)) throw error;
	console.log(`${error.code}: ${error.message}`);
	assert.equal(error.code, "unknown_recipient");
}
await bus.close();
