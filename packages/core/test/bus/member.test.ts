import { describe, expect, it } from "vitest";
import { InProcessTransport } from "../../src/bus/in-process-transport.js";
import { BusMember, MessageBus } from "../../src/bus/message-bus.js";
import type { RobotMessage } from "../../src/bus/robot-message.js";
import { BusError } from "../../src/errors/bus-error.js";
import { ConfigurationError } from "../../src/errors/configuration-error.js";
import { settledDown } from "./waiting.js";

const contents = (messages: readonly RobotMessage[]): unknown[] => messages.map(({ content }) => content);

describe("A BusMember", () => {
	it("sends to a name, and all who have it get the message, in order", async () => {
		const bus = new MessageBus();
		const alice = bus.join("alice");
		const got: [string, unknown][] = [];
		for (const place of ["one", "other"]) bus.join("bob").onMessage(({ content }) => void got.push([place, content]));
		for (const content of [1, 2, 3]) expect((await alice.sendMessage({ to: "bob", content })).recipients).toBe(2);
		await bus.idle();
		for (const place of ["one", "other"]) expect(got.filter(([who]) => who === place).map(([, content]) => content)).toEqual([1, 2, 3]);
	});

	it("sends a message that says who sent it, to whom, and what an answer names", async () => {
		const bus = new MessageBus();
		bus.join("bob");
		const { message, key } = await bus.join("alice").sendMessage({ to: "bob", content: { text: "hi" } });
		expect(message).toMatchObject({ from: "alice", to: "bob", content: { text: "hi" }, key, isReply: false });
		expect(key).toBe(`alice:${message.id}`);
		expect(Object.hasOwn(message, "inReplyTo")).toBe(false);
	});

	it("sends a copy that neither side can change", async () => {
		const bus = new MessageBus();
		const given = { list: [1], nested: { a: 1 } };
		let received: unknown;
		bus.join("bob").onMessage(({ content }) => {
			received = content;
			expect(() => Object.assign(content as object, { x: 1 })).toThrow(TypeError);
			expect(() => (content as { list: number[] }).list.push(2)).toThrow(TypeError);
		});
		const { message } = await bus.join("alice").sendMessage({ to: "bob", content: given });
		given.list.push(2);
		await bus.idle();
		expect(received).toEqual({ list: [1], nested: { a: 1 } });
		expect(() => Object.assign(message, { content: 1 })).toThrow(TypeError);
		expect([...bus.deadLetters]).toEqual([]);
	});

	it("gives each handler, and each attempt, a message of its own", async () => {
		const bus = new MessageBus({ maxAttempts: 2 });
		const seen: unknown[] = [];
		for (const _ of [1, 2])
			bus.join("bob").respondToTasks((message, { attempt }) => {
				seen.push([message.content, message.from]);
				Object.assign(message, { content: "spoilt", from: "nobody", to: "nobody" });
				if (attempt === 1) throw new Error("again");
				return "done";
			});
		const alice = bus.join("alice");
		const sent = await alice.sendMessage({ to: "bob", content: "good" });
		await sent.settled();
		await bus.idle();
		expect(seen).toEqual([1, 2, 3, 4].map(() => ["good", "alice"]));
		expect(alice.outbox[0]).toMatchObject({ message: { content: "good", to: "bob" }, replies: [{ content: "done" }, { content: "done" }] });
		expect(Object.isFrozen(alice.outbox[0]?.replies[0])).toBe(true);
	});

	it("takes names and contents that a record or a protocol may take for something else", async () => {
		const bus = new MessageBus();
		const names = ["__proto__", "constructor", "toString", " a:b ", "🤖", "x".repeat(10_000)];
		const content = JSON.parse('{"__proto__":{"admin":true},"constructor":1}') as unknown;
		for (const name of names) bus.join(name).respondToTasks(({ content: asked }) => asked);
		const alice = bus.join("a:li:ce");
		for (const to of names) {
			const reply = await (await alice.sendMessage({ to, content })).reply();
			expect(JSON.stringify(reply.content)).toBe(JSON.stringify(content));
			expect(reply.from).toBe(to);
		}
		expect(Object.keys(bus.stats)).toEqual(expect.arrayContaining(names));
		expect(bus.names).toEqual([...names, "a:li:ce"].sort());
		expect(({} as { admin?: boolean }).admin).toBeUndefined();
	});

	it("refuses what cannot be sent, and leaves nothing behind", async () => {
		const bus = new MessageBus();
		const alice = bus.join("alice");
		bus.join("bob").onMessage(() => {});
		for (const content of [undefined, () => {}, Number.NaN, new Map(), 1n, Symbol("x"), { deep: [new Date(Number.NaN), () => {}] }])
			await expect(alice.sendMessage({ to: "bob", content })).rejects.toThrow(ConfigurationError);
		const circle: unknown[] = [];
		circle.push(circle);
		await expect(alice.sendMessage({ to: "bob", content: circle })).rejects.toThrow('Cannot send to "bob"');
		for (const junk of [undefined, null, 1, "bob"]) await expect(alice.sendMessage(junk as never)).rejects.toThrow(ConfigurationError);
		for (const to of [undefined, "", 1, {}]) await expect(alice.sendMessage({ to, content: 1 } as never)).rejects.toThrow("as to");
		await expect(alice.sendMessage({ to: "bob", contents: 1 } as never)).rejects.toThrow('Did you mean "content"?');
		await expect(alice.sendMessage({ to: "bob", content: 1, inReplyTo: "x" } as never)).rejects.toThrow("no option");
		await expect(alice.sendReply({ to: "bob", content: 1 } as never)).rejects.toThrow("inReplyTo");
		await expect(alice.sendMessage({ to: "bob", content: 1, signal: {} } as never)).rejects.toThrow("AbortSignal");
		await expect(alice.sendMessage({ to: "bob", content: 1, signal: AbortSignal.abort("no") })).rejects.toBe("no");
		await bus.idle();
		expect(alice.outbox).toEqual([]);
		expect(bus.stats.bob).toMatchObject({ published: 0, delivered: 0 });
	});

	it("is told the nearest names where nobody has the one it sends to, and its outbox has no entry", async () => {
		const bus = new MessageBus();
		const alice = bus.join("alice");
		bus.join("critic");
		bus.join("critics");
		const failure = await alice.sendMessage({ to: "critc", content: 1 }).catch((error: unknown) => error);
		expect(failure).toMatchObject({ code: "unknown_recipient", message: expect.stringContaining('Did you mean "critic" or "critics"?') });
		expect(BusError.isInstance(failure)).toBe(true);
		expect(alice.outbox).toEqual([]);
		expect(bus.stats.critc).toBeUndefined();
		await bus.idle();
	});

	it("needs a bus to send, and none to get a handler", async () => {
		const member = new BusMember("alice");
		await expect(member.sendMessage({ to: "bob", content: 1 })).rejects.toMatchObject({ code: "no_bus" });
		await expect(member.sendReply({ to: "bob", content: 1, inReplyTo: "bob:1" })).rejects.toMatchObject({ code: "no_bus" });
		const got: unknown[] = [];
		member.onMessage(({ content }) => void got.push(content));
		expect([member.bus, member.outbox, member.outboxDropped]).toEqual([undefined, [], 0]);
		const bus = new MessageBus();
		member.withBus(bus);
		await bus.join("bob").sendMessage({ to: "alice", content: "late" });
		await bus.idle();
		expect(got).toEqual(["late"]);
	});

	it("joins a bus of its own where none is given, stays on the same, and takes its handler along to another", async () => {
		const got: [string, unknown][] = [];
		const alice = new BusMember("alice");
		alice.onMessage(({ content }, { message }) => void got.push([message.to, content]));
		const own = alice.withBus().bus as MessageBus;
		expect(own).toBeInstanceOf(MessageBus);
		expect(alice.withBus().bus).toBe(own);
		expect(alice.withBus(own).bus).toBe(own);
		await own.join("bob").sendMessage({ to: "alice", content: "once" });
		await own.idle();
		expect(got).toHaveLength(1);

		const other = new MessageBus();
		expect(alice.withBus(other).bus).toBe(other);
		expect([own.names, other.names]).toEqual([["bob"], ["alice"]]);
		await expect(own.join("carol").sendMessage({ to: "alice", content: 1 })).rejects.toMatchObject({ code: "unknown_recipient" });
		await other.join("bob").sendMessage({ to: "alice", content: "moved" });
		await other.idle();
		expect(got.at(-1)).toEqual(["alice", "moved"]);

		alice.leaveBus();
		alice.leaveBus();
		expect([alice.bus, other.names]).toEqual([undefined, ["bob"]]);
	});

	it("stays where it is when what it is to join is no bus, or closed", async () => {
		const bus = new MessageBus();
		const closed = new MessageBus();
		await closed.close();
		const alice = bus.join("alice");
		expect(() => alice.withBus({} as never)).toThrow("can only join a MessageBus");
		expect(() => alice.withBus(closed)).toThrow(expect.objectContaining({ code: "closed" }));
		expect(() => closed.join("x")).toThrow(expect.objectContaining({ code: "closed" }));
		expect(alice.bus).toBe(bus);
		expect(bus.names).toEqual(["alice"]);
	});

	it("has one handler at a time, and options that are some", async () => {
		const bus = new MessageBus();
		const bob = bus.join("bob");
		for (const name of [undefined, "", "  ", 1, {}]) expect(() => bus.join(name as never)).toThrow("needs a name");
		expect(() => bob.onMessage(undefined as never)).toThrow("needs a function");
		for (const options of [{ ack: "no" }, { acks: "auto" }, null, { ackTimeoutMs: 0 }, { maxAttempts: 0 }, { retryDelayMs: -1 }])
			expect(() => bob.onMessage(() => {}, options as never)).toThrow(ConfigurationError);
		expect(() => bob.onMessage(() => {}, { autoReply: true } as never)).toThrow("no option");
		expect(() => bob.respondToTasks(() => {}, { autoReply: 1 } as never)).toThrow("autoReply");
		const first = bob.onMessage(() => {});
		expect(() => bob.respondToTasks(() => {})).toThrow("unsubscribe()");
		first.unsubscribe();
		const got: unknown[] = [];
		bob.onMessage(({ content }) => void got.push(content));
		first.unsubscribe();
		await bus.join("alice").sendMessage({ to: "bob", content: 1 });
		await bus.idle();
		expect(got).toEqual([1]);
	});

	it("gets its messages also where its handler comes behind them in the same breath", async () => {
		const bus = new MessageBus();
		const bob = bus.join("bob");
		const sent = bus.join("alice").sendMessage({ to: "bob", content: 1 });
		const got: unknown[] = [];
		bob.onMessage(({ content }) => void got.push(content));
		expect(await (await sent).settled()).toEqual([{ state: "acked" }]);
		expect(got).toEqual([1]);
	});
});

describe("Answers", () => {
	it("reach the one who asked, and the outbox of no other of its name", async () => {
		const bus = new MessageBus();
		const [alice, twin] = [bus.join("alice"), bus.join("alice")];
		const heard: unknown[] = [];
		twin.onMessage(({ content, isReply }) => void heard.push([content, isReply]));
		bus.join("bob").respondToTasks(({ content }) => `${content as string}!`);
		const sent = await alice.sendMessage({ to: "bob", content: "hi" });
		const reply = await sent.reply();
		expect(reply).toMatchObject({ content: "hi!", from: "bob", to: "alice", inReplyTo: sent.key, isReply: true });
		await bus.idle();
		expect(alice.outbox).toEqual([{ message: sent.message, status: "replied", replies: [reply] }]);
		expect(twin.outbox).toEqual([]);
		expect(heard).toEqual([["hi!", true]]);
		expect([...bus.deadLetters]).toEqual([]);
	});

	it("reach who has moved to another bus of the transport meanwhile, once each", async () => {
		const transport = new InProcessTransport();
		const [before, after] = [new MessageBus({ transport }), new MessageBus({ transport })];
		const [asker, teller] = [before.join("asker"), before.join("teller")];
		teller.onMessage(() => {}, { ack: "manual" });
		const { key } = await asker.sendMessage({ to: "teller", content: "?" });
		asker.withBus(after);
		for (const content of [1, 2]) await teller.sendReply({ to: "asker", content, inReplyTo: key });
		expect(asker.outbox[0]?.replies.map(({ content }) => content)).toEqual([1, 2]);
		await Promise.all([before.close(), after.close()]);
	});

	it("come from all who have the name, the first to reply()", async () => {
		const bus = new MessageBus();
		const alice = bus.join("alice");
		for (const answer of ["a", "b", undefined]) bus.join("bob").respondToTasks(() => answer);
		const sent = await alice.sendMessage({ to: "bob", content: "?" });
		expect((await sent.reply()).content).toBe("a");
		await bus.idle();
		expect(contents(alice.outbox[0]?.replies ?? [])).toEqual(["a", "b"]);
		expect((await sent.reply({ timeoutMs: 0 })).content).toBe("a");
	});

	it("are sent by hand as well, late, and once more", async () => {
		const bus = new MessageBus();
		const alice = bus.join("alice");
		const bob = bus.join("bob");
		const asked: RobotMessage[] = [];
		bob.onMessage((message) => void asked.push(message));
		const sent = await alice.sendMessage({ to: "bob", content: "?" });
		await bus.idle();
		expect(alice.outbox[0]?.status).toBe("handled");
		const waiting = sent.reply();
		for (const content of ["one", "two"]) await bob.sendReply({ to: "alice", content, inReplyTo: asked[0]?.key ?? "" });
		expect((await waiting).content).toBe("one");
		expect(contents(alice.outbox[0]?.replies ?? [])).toEqual(["one", "two"]);
	});

	it("are not taken for answers to others: a key of nobody, of another's message, of a name that is a beginning", async () => {
		const bus = new MessageBus();
		const alice = bus.join("alice");
		bus.join("bob").onMessage(() => {});
		const al = bus.join("al");
		const sent = await alice.sendMessage({ to: "bob", content: "?" });
		const { id } = sent.message;
		for (const inReplyTo of [id, `bob:${id}`, "alice:", "alice:99999", `al:${id}`, "__proto__"])
			await al.sendReply({ to: "alice", content: 1, inReplyTo });
		await al.sendReply({ to: "al", content: 1, inReplyTo: sent.key });
		await al.sendReply({ to: "al", content: 1, inReplyTo: `al:${id}` });
		await bus.idle();
		expect(alice.outbox[0]?.status).toBe("handled");
	});

	it("are nothing to respondToTasks(), so that two who answer each other come to an end", async () => {
		const bus = new MessageBus();
		const members = ["alice", "bob"].map((name) => bus.join(name));
		const handled: string[] = [];
		for (const member of members)
			member.respondToTasks(({ content }) => {
				handled.push(content as string);
				return "answer";
			});
		await members[0]?.sendMessage({ to: "bob", content: "task" });
		await bus.idle();
		expect(handled).toEqual(["task"]);
		expect(bus.stats.alice).toMatchObject({ delivered: 1, acked: 1, handling: 0 });
	});

	it("are not sent where they are not wanted, and never for undefined", async () => {
		const bus = new MessageBus();
		const alice = bus.join("alice");
		bus.join("quiet").respondToTasks(() => "never", { autoReply: false });
		bus.join("empty").respondToTasks(() => undefined);
		bus.join("zero").respondToTasks(() => null);
		bus.join("plain").onMessage(() => "no answer");
		for (const to of ["quiet", "empty", "zero", "plain"]) await alice.sendMessage({ to, content: 1 });
		await bus.idle();
		expect(alice.outbox.map(({ message, status }) => [message.to, status])).toEqual([
			["quiet", "handled"],
			["empty", "handled"],
			["zero", "replied"],
			["plain", "handled"],
		]);
	});

	it("that can be no content fail their handler, and those to who has left are dead letters", async () => {
		const bus = new MessageBus();
		const alice = bus.join("alice");
		bus.join("junk").respondToTasks(() => () => {});
		const bob = bus.join("bob");
		bob.respondToTasks(() => {
			alice.leaveBus();
			return "too late";
		});
		const sent = await alice.sendMessage({ to: "junk", content: 1 });
		expect(await sent.settled()).toMatchObject([
			{ state: "dead", reason: "failed", error: { message: expect.stringContaining("plain data") } },
		]);
		await expect(sent.reply()).rejects.toMatchObject({ code: "not_delivered" });
		const asked = await alice.sendMessage({ to: "bob", content: 1 });
		expect(await asked.settled()).toEqual([{ state: "acked" }]);
		await settledDown();
		expect([...bus.deadLetters].at(-1)).toMatchObject({ reason: "left", message: { content: "too late", to: "alice" } });
		expect(bob.outbox).toEqual([]);
	});

	it("are waited for until there is one, the time is up, the signal is aborted, nobody handles it, or the bus is closed", async () => {
		const bus = new MessageBus();
		const alice = bus.join("alice");
		bus.join("bob").onMessage(() => {});
		bus.join("nobody");
		const sent = await alice.sendMessage({ to: "bob", content: 1 });
		await expect(sent.reply({ timeoutMs: 0 })).rejects.toMatchObject({ code: "timed_out" });
		await expect(sent.reply({ timeoutMs: 5 })).rejects.toMatchObject({ code: "timed_out", message: expect.stringContaining("5 ms") });
		await expect(sent.reply({ signal: AbortSignal.abort("no") })).rejects.toBe("no");
		const stop = new AbortController();
		const stopped = sent.reply({ signal: stop.signal });
		stop.abort("stop");
		await expect(stopped).rejects.toBe("stop");
		for (const options of [null, { timeout: 1 }, { timeoutMs: -1 }, { signal: {} }])
			await expect(sent.reply(options as never)).rejects.toThrow(ConfigurationError);
		const unheard = await alice.sendMessage({ to: "nobody", content: 1 });
		await expect(unheard.reply()).rejects.toMatchObject({ code: "not_delivered", message: expect.stringContaining("no_handler") });
		await expect(unheard.reply()).rejects.toMatchObject({ code: "not_delivered" });
		const waiting = sent.reply();
		void bus.close();
		await expect(waiting).rejects.toMatchObject({ code: "closed" });
		await expect(sent.reply()).rejects.toMatchObject({ code: "closed" });
		await expect(unheard.reply()).rejects.toMatchObject({ code: "not_delivered" });
	});

	it("are awaited within a handler without a deadlock, also where queues have room for one", async () => {
		const bus = new MessageBus({ maxPending: 1 });
		const alice = bus.join("alice");
		const bob = bus.join("bob");
		bob.respondToTasks(async (_message, delivery) => {
			const asked = await bob.sendMessage({ to: "carol", content: "how much?" });
			return `${delivery.attempt}: ${(await asked.reply()).content as string}`;
		});
		bus.join("carol").respondToTasks(() => "much");
		alice.onMessage(() => {});
		expect((await (await alice.sendMessage({ to: "bob", content: "ask" })).reply()).content).toBe("1: much");
		await bus.idle();
	});

	it("do not hold two up that answer each other at one moment, with room for one", async () => {
		const bus = new MessageBus({ maxPending: 1 });
		const [alice, bob] = [bus.join("alice"), bus.join("bob")];
		for (const member of [alice, bob]) member.respondToTasks(async ({ content }) => content);
		const sent = await Promise.all([alice.sendMessage({ to: "bob", content: "a" }), bob.sendMessage({ to: "alice", content: "b" })]);
		expect((await Promise.all(sent.map((each) => each.reply()))).map(({ content }) => content)).toEqual(["a", "b"]);
		await bus.idle();
	});
});
