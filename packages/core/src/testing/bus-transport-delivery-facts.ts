import assert from "node:assert/strict";
import type { Json } from "../json/json-values.js";
import { type TransportFact, until } from "./bus-transport-party.js";

/** Of every kind, and those that a codec may take for something else. */
const CONTENTS: readonly Json[] = [
	null,
	false,
	0,
	-1.5e-7,
	Number.MAX_VALUE,
	"",
	"null",
	"line\r\nline\u0000\u2028",
	"🤖 é e\u0301 \ud800",
	"x".repeat(100_000),
	[],
	{},
	[null, [[]], { a: [] }],
	{ "": 0, "a.b": { $c: [1, "2"] }, toString: "x", constructor: null },
	JSON.parse('{"__proto__":{"admin":true}}'),
	JSON.parse(`${"[".repeat(90)}${"]".repeat(90)}`),
];

/** Texts that a transport may take for something else, or for each other. */
const NAMES: readonly string[] = [
	"critic",
	"Critic",
	"",
	" ",
	"__proto__",
	"constructor",
	"toString",
	"a.b",
	"a.*",
	"*",
	">",
	"a/b",
	"#",
	"a\nb",
	"\u0000",
	"é",
	"e\u0301",
	"🤖",
	"x".repeat(2_000),
];

const FAILURE = { reason: "failed", attempts: 3, error: { code: "unexpected", message: "no such order\n🤖" } } as const;

/** Who gets a message, in which order, and who hears what became of it. */
export const DELIVERY_FACTS: Readonly<Record<string, TransportFact>> = {
	"gives ids that no other message of any connection has": async (parties) => {
		const all = [parties.join(), parties.join(), parties.join()];
		const ids = all.flatMap(({ connection }) => Array.from({ length: 1_000 }, () => connection.nextId()));
		assert.equal(new Set(ids).size, 3_000);
		assert.ok(ids.every((id) => typeof id === "string" && id !== ""));
	},
	"delivers every kind of content as it was": async (parties) => {
		const sender = parties.join();
		const inbox = await parties.join().subscribe("critic");
		await sender.tell("critic", ...CONTENTS);
		await inbox.has(CONTENTS.length);
		assert.deepEqual(inbox.contents, CONTENTS);
		assert.equal(Reflect.get({}, "admin"), undefined);
	},
	"delivers the rest of a message, and nothing that was not there": async (parties) => {
		const sender = parties.join();
		const inbox = await parties.join().subscribe("critic");
		const messages = [sender.message("critic", 1), sender.message("critic", 2, { from: "__proto__", inReplyTo: "critic:1" })];
		for (const message of messages) await sender.say(message).answer;
		await inbox.has(2);
		assert.deepEqual(
			inbox.deliveries.map(({ message }) => ({ ...message })),
			messages,
		);
	},
	"takes any text for a channel, and none for another": async (parties) => {
		const [sender, receiver] = [parties.join(), parties.join()];
		const inboxes = await Promise.all(NAMES.map((name) => receiver.subscribe(name)));
		for (const name of NAMES) assert.equal(await sender.say(sender.message(name, name)).answer, 1, JSON.stringify(name));
		for (const inbox of inboxes) await inbox.has(1);
		assert.deepEqual(
			inboxes.flatMap((inbox) => inbox.contents),
			NAMES,
		);
		assert.deepEqual(await sender.connection.channels(), [...NAMES].sort());
	},
	"keeps nothing for nobody": async (parties) => {
		const [sender, other] = [parties.join(), parties.join()];
		assert.deepEqual(await sender.connection.channels(), []);
		assert.equal(await sender.say(sender.message("critic", 1, { inReplyTo: "critic:1" })).answer, 0);
		const inbox = await other.subscribe("critic");
		assert.deepEqual(await sender.connection.channels(), ["critic"]);
		await parties.settle();
		assert.deepEqual([inbox.contents, sender.outcomes, sender.replies, other.replies], [[], [], [], []]);
	},
	"delivers the messages of each in the order of its calls": async (parties) => {
		const senders = [parties.join(), parties.join()];
		const inboxes = [await parties.join().subscribe("critic"), await parties.join().subscribe("critic", 7, (delivery) => delivery.ack())];
		const numbers = Array.from({ length: 300 }, (_, index) => index);
		const said = numbers.flatMap((number) => senders.map((sender, who) => sender.say(sender.message("critic", [who, number]))));
		await Promise.all(said.map(({ answer }) => answer));
		for (const inbox of inboxes) {
			await inbox.has(600);
			for (const who of [0, 1]) {
				const own = inbox.contents.filter((content) => Array.isArray(content) && content[0] === who);
				assert.deepEqual(
					own,
					numbers.map((number) => [who, number]),
				);
			}
		}
	},
	"delivers to each who has the name, on whichever connection, once": async (parties) => {
		const [sender, one, other] = [parties.join(), parties.join(), parties.join()];
		const inboxes = [
			await one.subscribe("critic"),
			await one.subscribe("critic"),
			await other.subscribe("critic"),
			await sender.subscribe("critic"),
		];
		const said = sender.say(sender.message("critic", 1));
		assert.equal(await said.answer, 4);
		for (const inbox of inboxes) await inbox.has(1);
		inboxes[0]?.at(0).ack();
		inboxes[1]?.at(0).nack(FAILURE);
		inboxes[2]?.at(0).ack();
		inboxes[3]?.at(0).ack();
		await until(() => sender.outcomes.length === 4, "four outcomes");
		await parties.settle();
		const states = sender.outcomesOf(said.message).map(({ state }) => state);
		assert.deepEqual(states.sort(), ["acked", "acked", "acked", "dead"]);
		for (const inbox of inboxes) await inbox.has(1);
	},
	"tells what became of a message to whoever published it, and to nobody else": async (parties) => {
		const [sender, receiver, other] = [parties.join(), parties.join(), parties.join()];
		const inbox = await receiver.subscribe("critic");
		await other.subscribe("other");
		const [first, second, third] = await sender.tell("critic", 1, 2, 3);
		await inbox.has(3);
		inbox.at(1).nack(FAILURE);
		inbox.at(2).nack({ reason: "no_handler", attempts: 0 });
		inbox.at(0).ack();
		await until(() => sender.outcomes.length === 3, "three outcomes");
		await parties.settle();
		assert.deepEqual(sender.outcomes, [
			[second?.id, { state: "dead", ...FAILURE }],
			[third?.id, { state: "dead", reason: "no_handler", attempts: 0 }],
			[first?.id, { state: "acked" }],
		]);
		assert.deepEqual([receiver.outcomes, other.outcomes], [[], []]);
	},
	"settles a delivery once, and gives its room once": async (parties) => {
		const sender = parties.join();
		const inbox = await parties.join().subscribe("critic", 1);
		const said = [1, 2, 3, 4].map((content) => sender.say(sender.message("critic", content)));
		await inbox.has(1);
		inbox.at(0).ack();
		inbox.at(0).ack();
		inbox.at(0).nack(FAILURE);
		await inbox.has(2);
		inbox.at(1).nack(FAILURE);
		inbox.at(0).ack();
		inbox.at(1).nack({ reason: "nacked", attempts: 1 });
		inbox.at(1).ack();
		await until(() => inbox.deliveries.length > 2, "the third delivery");
		await parties.settle();
		await inbox.has(3);
		const outcomes = [{ state: "acked" }, { state: "dead", ...FAILURE }];
		assert.deepEqual(
			sender.outcomes,
			outcomes.map((outcome, index) => [said[index]?.message.id, outcome]),
		);
		inbox.at(2).ack();
		await inbox.has(4);
	},
	"tells everybody of a reply, and each before it is delivered there": async (parties) => {
		const [asker, answerer, other] = [parties.join(), parties.join(), parties.join()];
		const inbox = await asker.subscribe("asker");
		const before: number[] = [];
		asker.whenTold = () => before.push(inbox.deliveries.length);
		await answerer.tell("asker", "no reply");
		const reply = answerer.message("asker", "a reply", { inReplyTo: "asker:1" });
		assert.equal(await answerer.say(reply).answer, 1);
		await inbox.has(2);
		for (const party of [asker, answerer, other]) {
			await until(() => party.replies.length === 1, "a reply");
			assert.deepEqual({ ...party.replies[0] }, reply);
		}
		assert.deepEqual(before, [1]);
	},
	"delivers a reply before what is published by who is told of it, and not before others are told": async (parties) => {
		const [asker, namesake, answerer] = [parties.join(), parties.join(), parties.join()];
		const inboxes = [await asker.subscribe("asker"), await namesake.subscribe("asker")];
		const before: unknown[] = [];
		asker.whenTold = () => asker.say(asker.message("asker", "told"));
		namesake.whenTold = () => before.push(...(inboxes[1]?.contents ?? []));
		await answerer.say(answerer.message("asker", "a reply", { inReplyTo: "asker:1" })).answer;
		for (const inbox of inboxes) {
			await inbox.has(2);
			assert.deepEqual(inbox.contents, ["a reply", "told"]);
		}
		assert.deepEqual(before, []);
	},
	"tells of a reply for which its recipient has no room": async (parties) => {
		const [asker, answerer] = [parties.join(), parties.join()];
		const inbox = await asker.subscribe("asker", 1);
		await answerer.tell("asker", "being handled");
		const said = answerer.say(answerer.message("asker", "a reply", { inReplyTo: "asker:1" }));
		await until(() => asker.replies.length === 1, "a reply");
		await parties.settle();
		assert.equal(said.isAnswered, false);
		inbox.at(0).ack();
		assert.equal(await said.answer, 1);
		await inbox.has(2);
		assert.equal(asker.replies.length, 1);
	},
	"hands over one after the other, also what is published and settled by who receives": async (parties) => {
		const party = parties.join();
		let depth = 0;
		let deepest = 0;
		const inbox = await party.subscribe("critic", 1, (delivery) => {
			depth += 1;
			deepest = Math.max(deepest, depth);
			const { content } = delivery.message;
			if (typeof content === "number" && content < 5_000) party.say(party.message("critic", content + 1));
			delivery.ack();
			depth -= 1;
		});
		await party.say(party.message("critic", 1)).answer;
		await inbox.has(5_000);
		await until(() => party.outcomes.length === 5_000, "every outcome");
		assert.equal(deepest, 1);
	},
};
