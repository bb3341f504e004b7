// 12: two robots talk over a bus until one of them is content. A network has no circles, so this is what a bus is for. The comedian gets bolder
// with every joke that was not funny.
import assert from "node:assert/strict";
import { MessageBus, Robot } from "@robot-lab/core";
import { ScriptedModel } from "@robot-lab/core/testing";
import * as z from "zod";
import { questions } from "../networks/asked.js";

const Joke = z.object({ joke: z.string(), attempt: z.int() });
const Review = z.object({ funny: z.boolean(), why: z.string() });

// what comes to a channel is checked against its schema when it is sent
await using bus = new MessageBus({ channels: { critic: Joke, comedian: Review } });

const models = {
	comedian: new ScriptedModel([
		"Why did the kettle whistle? It was hot.",
		"My kettle and I have a lot in common. We both boil over.",
		"I told my kettle a secret. Now the whole kitchen is steaming about it.",
	]),
	critic: new ScriptedModel([
		'{"funny":false,"why":"That is a fact."}',
		'{"funny":false,"why":"Better. Be more absurd."}',
		'{"funny":true,"why":"I laughed."}',
	]),
};
const comedian = new Robot({ name: "comedian", model: models.comedian, systemPrompt: "You tell one short joke.", bus });
const critic = new Robot({ name: "critic", model: models.critic, systemPrompt: "You are hard to please.", schema: Review, bus });

const MOST_ATTEMPTS = 5; // two that never agree must come to an end, too
let attempt = 0;

async function tell(request: string): Promise<void> {
	attempt += 1;
	// from the next run on: a little bolder each time
	comedian.withTemperature(Math.min(0.2 + 0.3 * (attempt - 1), 1));
	const { lastTextContent: joke = "" } = await comedian.run(request);
	console.log(`comedian, attempt ${attempt}: ${joke}`);
	await comedian.sendMessage({ to: "critic", content: { joke, attempt } });
}

// the critic answers each joke with what this returns
critic.respondToTasks(async ({ content }) => {
	const { joke } = Joke.parse(content);
	const { data } = await critic.run(`Is this funny? ${joke}`);
	return Review.parse(data);
});

// what the comedian is told are answers: it goes on until the critic is content
let last: z.infer<typeof Review> | undefined;
comedian.onMessage(async ({ content, isReply }) => {
	assert.ok(isReply);
	last = Review.parse(content);
	console.log(`critic: ${last.why}`);
	if (!last.funny && attempt < MOST_ATTEMPTS) await tell(`The critic says: ${last.why} Another one, please.`);
});

await tell("Tell a joke about a kettle.");
await bus.idle(); // no message waits, and none is being handled

console.log(`Temperatures: ${models.comedian.calls.map(({ temperature }) => temperature).join(", ")}`);
console.log(`Outbox: ${comedian.outbox.map(({ status, replies }) => `${status} (${replies.length})`).join(", ")}`);
const { critic: toCritic, comedian: toComedian } = bus.stats;
console.log(`To the critic ${toCritic?.delivered}, to the comedian ${toComedian?.delivered}, dead ${bus.deadLetters.size}`);

assert.equal(last?.funny, true);
assert.deepEqual(
	models.comedian.calls.map(({ temperature }) => temperature),
	[0.2, 0.5, 0.8],
);
assert.equal(questions(models.comedian)[2], "The critic says: Better. Be more absurd. Another one, please.");
assert.deepEqual([toCritic?.acked, toComedian?.acked, bus.deadLetters.size], [3, 3, 0]);

// a channel takes nothing that is not of its form
await assert.rejects(comedian.sendMessage({ to: "critic", content: { joke: 42 } }), { code: "invalid_content" });
