// 27: an incident. Responders look side by side and write down what they find, a commander waits for all of it, and what it concludes sets others
// in motion over the bus. What nobody could do becomes a dead letter, and somebody else is called.
import assert from "node:assert/strict";
import { createTool, Memory, MessageBus, Network, Robot } from "@robot-lab/core";
import { ScriptedModel } from "@robot-lab/core/testing";
import * as z from "zod";

const FINDINGS = ["finding:metrics", "finding:logs", "finding:deploys"];
const memory = new Memory();
const Order = z.object({ do: z.string() });
await using bus = new MessageBus({ channels: { operator: Order, pager: Order, phone: Order } });

const call = (name: string, args: object = {}) => ({ toolCalls: [{ name, args }] });

// Responders: each looks at one thing.
const find = createTool({
	name: "find",
	description: "Writes down what you found.",
	parameters: z.object({ where: z.string(), what: z.string() }),
	execute: ({ where, what }, { memory: shared }) => shared?.set(`finding:${where}`, what),
});
const responder = (where: string, what: string): Robot =>
	new Robot({ name: `${where} reader`, model: new ScriptedModel([call("find", { where, what }), "Done."]), localTools: [find] });

// A commander: begins with them, and waits.
const waitForFindings = createTool({
	name: "wait_for_findings",
	description: "Waits for what all responders find.",
	execute: (_, { memory: shared, signal }) => shared?.waitFor(FINDINGS, { timeoutMs: 5_000, signal }),
});
const conclude = createTool({
	name: "conclude",
	description: "Says what the cause is. Everybody acts on it.",
	parameters: z.object({ cause: z.string() }),
	execute: ({ cause }, { memory: shared }) => shared?.set("cause", cause),
});
const commander = new Robot({
	name: "commander",
	model: new ScriptedModel([call("wait_for_findings"), call("conclude", { cause: "release 42 leaks connections" }), "It is release 42."]),
	localTools: [waitForFindings, conclude],
	bus,
});

const room = new Network({ name: "war room", memory })
	.task("command", commander)
	.parallel("responders", {}, (group) =>
		group
			.task("metrics", responder("metrics", "errors since 10:02"))
			.task("logs", responder("logs", "no free connection"))
			.task("deploys", responder("deploys", "release 42 at 10:00")),
	);

// Who acts. The operator's server is busy at first: the same message comes once more.
const done: string[] = [];
bus.join("operator").onMessage(
	({ content }, { attempt }) => {
		if (attempt === 1) throw new Error("the deploy server is busy");
		done.push(`operator, attempt ${attempt}: ${content.do}`);
		memory.as("operator").set("resolved", true);
	},
	{ maxAttempts: 3 },
);
// The pager is broken for good.
bus.join("pager").onMessage(
	() => {
		throw new Error("no signal");
	},
	{ maxAttempts: 2 },
);
// The phone says itself when it is done: only then the message has been handled.
bus.join("phone").onMessage(
	async ({ content }, delivery) => {
		await Promise.resolve("it rings");
		done.push(`phone: ${content.do}`);
		delivery.ack();
	},
	{ ack: "manual" },
);
bus.join("status page"); // is on the bus, and handles nothing

// A letter that nobody could deliver: the alarm goes on to the phone.
const exchange = bus.join("exchange");
bus.deadLetters.on("deadLetter", async ({ message: { to, content } }) => {
	if (to === "pager") await exchange.sendMessage({ to: "phone", content: Order.parse(content) });
});

// Reactive: whoever writes the cause sets all of this in motion.
memory.subscribePattern("finding:*", ({ key, value, writer }) => console.log(`${writer} wrote ${key}: ${value}`));
memory.subscribe("cause", async ({ value, writer }) => {
	console.log(`${writer} concludes: ${value}`);
	await commander.sendMessage({ to: "operator", content: { do: "roll back release 42" } });
	await commander.sendMessage({ to: "pager", content: { do: "wake the owner of release 42" } });
	await commander.sendMessage({ to: "status page", content: `Cause: ${value}` });
});
const resolved = memory.waitFor("resolved", { timeoutMs: 10_000 });

const { status } = await room.run({ message: "Checkout is down." });
assert.equal(await resolved, true);
await bus.idle();

console.log(done.sort().join("\n"));
const letters = bus.deadLetters.drain().map(({ message, reason, attempts, error }) => {
	return `${message.to}: ${reason} after ${attempts}${error ? `, ${error.message}` : ""}`;
});
console.log(letters.sort().join("\n"));

assert.equal(status, "done");
assert.deepEqual(done, ["operator, attempt 2: roll back release 42", "phone: wake the owner of release 42"]);
assert.deepEqual(letters, ["pager: failed after 2, no signal", "status page: no_handler after 0"]);
assert.equal(bus.deadLetters.size, 0);
