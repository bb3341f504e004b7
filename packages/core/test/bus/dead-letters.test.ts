import { describe, expect, it } from "vitest";
import { BusMember, MessageBus } from "../../src/bus/message-bus.js";
import { ConfigurationError } from "../../src/errors/configuration-error.js";
import { settledDown } from "./waiting.js";

const failing = (options = {}): { bus: MessageBus; send: (content: unknown) => Promise<unknown> } => {
	const bus = new MessageBus(options);
	bus.join("bob").onMessage(() => {
		throw Object.assign(new Error("boom"), { secret: "x" });
	});
	const alice = bus.join("alice");
	return { bus, send: async (content) => (await alice.sendMessage({ to: "bob", content })).settled() };
};

describe("Dead letters", () => {
	it("hold the message, the reason, the attempts and the error's message, and nobody can change them", async () => {
		const { bus, send } = failing({ maxAttempts: 2 });
		await send("hi");
		const [letter] = [...bus.deadLetters];
		expect(letter).toEqual({
			message: expect.objectContaining({ from: "alice", to: "bob", content: "hi" }),
			reason: "failed",
			attempts: 2,
			error: { code: "unexpected", message: "boom" },
			diedAt: expect.any(Number),
		});
		for (const part of [letter, letter?.error]) expect(Object.isFrozen(part)).toBe(true);
	});

	it("are the last ones, oldest first, and say how many were dropped", async () => {
		const { bus, send } = failing({ maxDeadLetters: 2 });
		for (const content of [1, 2, 3, 4]) await send(content);
		const contents = () => [...bus.deadLetters].map(({ message }) => message.content);
		expect([contents(), bus.deadLetters.size, bus.deadLetters.dropped]).toEqual([[3, 4], 2, 2]);
		const seen = [];
		for (const { message } of bus.deadLetters) {
			seen.push(message.content);
			if (seen.length < 3) await send(5);
		}
		expect(seen).toEqual([3, 4]);
		expect(bus.deadLetters.drain()).toHaveLength(2);
		expect([bus.deadLetters.size, bus.deadLetters.dropped]).toEqual([0, 4]);
	});

	it("are none where none are to be kept, and are told all the same", async () => {
		const { bus, send } = failing({ maxDeadLetters: 0 });
		const told: unknown[] = [];
		bus.deadLetters.on("deadLetter", ({ message }) => told.push(message.content));
		await send(1);
		expect([bus.deadLetters.size, bus.deadLetters.dropped, told]).toEqual([0, 1, [1]]);
	});

	it("are told to listeners at once, whatever the others do, until they stop", async () => {
		const { bus, send } = failing();
		const told: unknown[] = [];
		bus.deadLetters.on("deadLetter", () => {
			throw new Error("listener");
		});
		bus.deadLetters.on("deadLetter", () => Promise.reject(new Error("listener")));
		const first = bus.deadLetters.on("deadLetter", ({ message }) => {
			told.push(["first", message.content]);
			second.unsubscribe();
		});
		const second = bus.deadLetters.on("deadLetter", ({ message }) => told.push(["second", message.content]));
		const warnings: Error[] = [];
		const note = (warning: Error): void => void warnings.push(warning);
		process.on("warning", note);
		await send(1);
		first.unsubscribe();
		first.unsubscribe();
		await send(2);
		await settledDown();
		process.off("warning", note);
		expect(told).toEqual([["first", 1]]);
		expect(warnings).toMatchObject([{ code: "ROBOT_LAB_LISTENER_FAILED" }, { code: "ROBOT_LAB_LISTENER_FAILED" }]);
		expect(() => bus.deadLetters.on("dead" as never, () => {})).toThrow(ConfigurationError);
		expect(() => bus.deadLetters.on("deadLetter", 1 as never)).toThrow(ConfigurationError);
	});

	it("that nobody looks at are warned of once for each bus, and not where somebody asks, reads or listens", async () => {
		const warnings: (Error & { code?: string })[] = [];
		const note = (warning: Error): void => void warnings.push(warning);
		process.on("warning", note);
		const send = async ({ bus }: { bus: MessageBus }) => bus.join("eve").sendMessage({ to: "bob", content: 1 });
		const listens = failing();
		listens.bus.deadLetters.on("deadLetter", () => {});
		await send(listens);
		await (await send(failing())).settled();
		await expect((await send(failing())).reply()).rejects.toMatchObject({ code: "not_delivered" });
		const reads = failing();
		await send(reads);
		await reads.bus.idle();
		expect([...reads.bus.deadLetters]).toHaveLength(1);
		const drains = failing();
		await send(drains);
		await drains.bus.idle();
		expect(drains.bus.deadLetters.drain()).toHaveLength(1);
		await settledDown();
		expect(warnings).toEqual([]);

		const unheeded = failing();
		for (const _ of [1, 2]) await send(unheeded);
		await unheeded.bus.idle();
		expect(unheeded.bus.deadLetters.size).toBe(2); // to count is not to look
		await settledDown();
		await send(unheeded);
		await settledDown();
		process.off("warning", note);
		expect(warnings).toMatchObject([{ code: "ROBOT_LAB_DEAD_LETTER" }]);
		expect(warnings[0]?.message).toMatch(/"eve" came to nothing with "bob" \(failed: boom\).*bus\.deadLetters/);
	});
});

describe("An outbox", () => {
	it("says what became of each message, and that a message is dead only when all recipients are done with it", async () => {
		const bus = new MessageBus();
		const alice = bus.join("alice");
		bus.join("mixed");
		bus.join("mixed").onMessage(() => {});
		bus.join("dead");
		bus.join("answers").respondToTasks(() => {
			throw new Error("no");
		});
		bus.join("answers").respondToTasks(() => "yes");
		for (const to of ["mixed", "dead", "answers"]) await alice.sendMessage({ to, content: 1 });
		await bus.idle();
		expect(alice.outbox.map(({ message, status }) => [message.to, status])).toEqual([
			["mixed", "handled"],
			["dead", "dead"],
			["answers", "replied"],
		]);
		expect(Object.isFrozen(alice.outbox)).toBe(true);
		bus.deadLetters.drain();
	});

	it("keeps the last ones, answers counted, and says how many it dropped; who waits for an answer gets it all the same", async () => {
		const bus = new MessageBus({ maxOutbox: 3 });
		const alice = bus.join("alice");
		const bob = bus.join("bob");
		bob.onMessage(() => {});
		const sent = await alice.sendMessage({ to: "bob", content: 1 });
		await bus.idle();
		const waiting = sent.reply();
		for (const content of [2, 3, 4]) await alice.sendMessage({ to: "bob", content });
		expect(alice.outbox.map(({ message }) => message.content)).toEqual([2, 3, 4]);
		await bob.sendReply({ to: "alice", content: "late", inReplyTo: sent.key });
		expect((await waiting).content).toBe("late");
		expect((await sent.reply()).content).toBe("late");
		const [second] = alice.outbox;
		for (const content of ["a", "b"]) await bob.sendReply({ to: "alice", content, inReplyTo: second?.message.key ?? "" });
		expect([alice.outbox, alice.outboxDropped]).toMatchObject([[{ message: { content: 3 } }, { message: { content: 4 } }], 3]);
	});

	it("is as large as the bus says that its member is on, and keeps the last ones of what it had", async () => {
		const buses = [5, 2, 4, 0, 3].map((maxOutbox) => new MessageBus({ maxOutbox }));
		const alice = new BusMember("alice");
		let content = 0;
		const kept: unknown[] = [];
		for (const bus of buses) {
			bus.join("bob").respondToTasks(({ content: asked }) => (asked === 3 ? "three" : undefined));
			alice.withBus(bus);
			kept.push(alice.outbox.map(({ message }) => message.content));
			for (const _ of [1, 2, 3]) await (await alice.sendMessage({ to: "bob", content: ++content })).settled();
			await bus.idle();
			kept.push(alice.outbox.map(({ message }) => message.content));
		}
		expect(kept).toEqual([[], [1, 2, 3], [3], [5, 6], [5, 6], [6, 7, 8, 9], [], [], [], [13, 14, 15]]);
		expect(alice.outboxDropped).toBe(16 - 3);
	});

	it("of none keeps nothing, and answers reach who waits for them", async () => {
		const bus = new MessageBus({ maxOutbox: 0 });
		const alice = bus.join("alice");
		bus.join("bob").respondToTasks(async ({ content }) => content);
		expect((await (await alice.sendMessage({ to: "bob", content: "hi" })).reply()).content).toBe("hi");
		expect([alice.outbox, alice.outboxDropped]).toEqual([[], 1]);
	});
});
