import type { StandardSchemaV1 } from "@standard-schema/spec";
import { describe, expect, it, vi } from "vitest";
import type { AnyMessageBus } from "../../src/bus/any-message-bus.js";
import { BusProjection } from "../../src/bus/bus-projection.js";
import type { BusConnection, BusListener, BusTransport } from "../../src/bus/bus-transport.js";
import { MessageBus } from "../../src/bus/message-bus.js";
import { BusError } from "../../src/errors/bus-error.js";
import { type Deferred, deferred } from "../../src/process/deferred.js";
import { EventLog } from "../../src/stream/event-log.js";
import { assertWholeLog } from "../../src/testing/whole-log.js";
import { heldHandler, settledDown } from "./waiting.js";

const schema = (validate: (value: unknown) => unknown) => ({ "~standard": { version: 1, vendor: "test", validate } }) as StandardSchemaV1;

/** A schema that answers when it is told to. */
function slowSchema(): { readonly slow: StandardSchemaV1; readonly asked: Deferred<unknown>[] } {
	const asked: Deferred<unknown>[] = [];
	const slow = schema((value) => {
		const answer = deferred<unknown>();
		asked.push(answer);
		return answer.promise.then(() => ({ value }));
	});
	return { slow, asked };
}

const letters = (bus: AnyMessageBus): unknown[] => [...bus.deadLetters].map(({ message, reason }) => [message.content, reason]);

/** What nobody heeded meanwhile. */
async function unheeded(act: () => Promise<void>): Promise<unknown[]> {
	const errors: unknown[] = [];
	const others = process.listeners("unhandledRejection");
	process.removeAllListeners("unhandledRejection");
	process.on("unhandledRejection", (error) => errors.push(error));
	await act();
	await settledDown();
	process.removeAllListeners("unhandledRejection");
	for (const other of others) process.on("unhandledRejection", other);
	return errors;
}

describe("Content that is checked for a while", () => {
	it("passes in the order of the sends, each channel by itself, whichever is checked first", async () => {
		const { slow, asked } = slowSchema();
		const mixed = schema((value) => (value === "later" ? asked[0]?.promise.then(() => ({ value })) : { value }));
		const bus = new MessageBus({ channels: { bob: slow, carol: slow, dora: mixed } });
		const got: unknown[] = [];
		for (const name of ["bob", "carol", "dora"]) bus.join(name).onMessage(({ content }) => void got.push(content));
		const alice = bus.join("alice");
		const sent = [1, 2, 3].map((content) => alice.sendMessage({ to: "bob", content }));
		void alice.sendMessage({ to: "carol", content: "other" });
		for (const content of ["later", "at once"]) void alice.sendMessage({ to: "dora", content });
		for (const place of [3, 2, 1]) asked[place]?.resolve(undefined);
		await settledDown();
		expect(got).toEqual(["other"]);
		asked[0]?.resolve(undefined);
		await Promise.all(sent);
		await bus.idle();
		expect(got.filter((content) => typeof content === "number")).toEqual([1, 2, 3]);
		expect(got.filter((content) => typeof content === "string")).toEqual(["other", "later", "at once"]);
	});

	it("is waited for no longer than the signal says, and holds up none of those behind it", async () => {
		const { slow, asked } = slowSchema();
		const bus = new MessageBus({ channels: { bob: slow } });
		const got: unknown[] = [];
		bus.join("bob").onMessage(({ content }) => void got.push(content));
		const alice = bus.join("alice");
		const stop = new AbortController();
		const errors = await unheeded(async () => {
			const stopped = alice.sendMessage({ to: "bob", content: "stopped", signal: stop.signal });
			void alice.sendMessage({ to: "bob", content: "unheeded", signal: stop.signal });
			void alice.sendMessage({ to: "bob", content: "next" });
			stop.abort("enough");
			await expect(stopped).rejects.toBe("enough");
			asked[2]?.resolve(undefined);
			await bus.idle();
		});
		expect([got, errors, letters(bus)]).toEqual([["next"], [], []]);
	});

	it("is not overtaken where one between is given up", async () => {
		const { slow, asked } = slowSchema();
		const bus = new MessageBus({ channels: { bob: slow } });
		const got: unknown[] = [];
		bus.join("bob").onMessage(({ content }) => void got.push(content));
		const alice = bus.join("alice");
		const stop = new AbortController();
		void alice.sendMessage({ to: "bob", content: 1 });
		void alice.sendMessage({ to: "bob", content: 2, signal: stop.signal });
		await settledDown();
		stop.abort();
		await settledDown();
		void alice.sendMessage({ to: "bob", content: 3 });
		asked[2]?.resolve(undefined);
		await settledDown();
		expect(got).toEqual([]);
		asked[0]?.resolve(undefined);
		await bus.idle();
		expect(got).toEqual([1, 3]);
	});

	it("ends with the bus: it is a dead letter as it was given, and idle() does not wait for its schema", async () => {
		const log = new EventLog();
		const bus = new MessageBus({ channels: { bob: schema(() => new Promise(() => {})) }, log });
		bus.join("bob").onMessage(() => {});
		const alice = bus.join("alice");
		const errors = await unheeded(async () => {
			const sending = alice.sendMessage({ to: "bob", content: { a: 1 } });
			void alice.sendMessage({ to: "bob", content: "unheeded" });
			const junk = alice.sendMessage({ to: "bob", content: () => {} });
			await bus.close();
			await expect(sending).rejects.toMatchObject({ code: "closed" });
			await expect(junk).rejects.toMatchObject({ code: "closed" });
			await bus.idle();
		});
		expect([errors, letters(bus)]).toEqual([
			[],
			[
				[{ a: 1 }, "closed"],
				["unheeded", "closed"],
			],
		]);
		assertWholeLog(log.after(0));
		expect(log.after(0).map(({ event }) => event as string)).toEqual([
			"run.started",
			...["bus.message", "bus.dead_letter", "bus.message", "bus.dead_letter"],
			...["run.completed", "stream.ended"],
		]);
	});

	it("is told of where it waits for room then and is given up: nothing of it is an unhandled rejection", async () => {
		const bus = new MessageBus({ channels: { bob: schema(async (value) => ({ value })) }, maxPending: 1 });
		const { handler } = heldHandler();
		bus.join("bob").onMessage(handler);
		const alice = bus.join("alice");
		await alice.sendMessage({ to: "bob", content: 1 });
		const stop = new AbortController();
		const errors = await unheeded(async () => {
			void alice.sendMessage({ to: "bob", content: 2, signal: stop.signal });
			await settledDown();
			stop.abort();
		});
		expect(errors).toEqual([]);
		await bus.close();
	});

	it("answers no message that nobody waits for any more", async () => {
		const { slow, asked } = slowSchema();
		const bus = new MessageBus({ channels: { alice: slow }, ackTimeoutMs: 5, maxAttempts: 3 });
		bus.join("bob").respondToTasks(() => "answer");
		const alice = bus.join("alice");
		const sent = await alice.sendMessage({ to: "bob", content: 1 });
		expect(await sent.settled()).toMatchObject([{ reason: "timed_out", attempts: 3 }]);
		for (const each of asked) each.resolve(undefined);
		await settledDown();
		expect([asked.length, alice.outbox[0]?.replies]).toEqual([3, []]);
	});
});

describe("What is sent", () => {
	it("is read once: what is checked is what is sent", async () => {
		const num = schema((value) => (typeof value === "number" ? Promise.resolve({ value }) : { issues: [{ message: "no number" }] }));
		const text = schema((value) => (typeof value === "string" ? { value } : { issues: [{ message: "no text" }] }));
		const bus = new MessageBus({ channels: { num, text } });
		const got: unknown[] = [];
		for (const name of ["num", "text"]) bus.join(name).onMessage(({ content }) => void got.push([name, content]));
		const alice = bus.join("alice");
		const changed: { to: string; content: unknown } = { to: "num", content: 1 };
		const sending = alice.sendMessage(changed as never);
		Object.assign(changed, { to: "text", content: "other" });
		await sending;
		let reads = 0;
		const shifty = {
			get to() {
				reads += 1;
				return reads === 1 ? "num" : "text";
			},
			content: 2,
		};
		await alice.sendMessage(shifty as never);
		await bus.idle();
		expect([got, reads]).toEqual([
			[
				["num", 1],
				["num", 2],
			],
			1,
		]);
	});

	it("is refused as content, whatever a schema answers with that cannot be read, and never sent unchecked", async () => {
		const trap = (): never => {
			throw new Error("trap");
		};
		const revoked = Proxy.revocable({}, {});
		revoked.revoke();
		const bad = {
			getter: schema(() => Object.defineProperty({}, "issues", { get: trap })),
			value: schema(() => Object.defineProperty({}, "value", { get: trap })),
			revoked: schema(() => revoked.proxy),
			// biome-ignore lint/suspicious/noThenProperty: what cannot be read is what is tried
			unread: schema(() => Object.defineProperty({}, "then", { get: trap })),
			path: schema(() => ({ issues: [{ message: "m", path: [{ key: { toString: trap } }] }] })),
			// biome-ignore lint/suspicious/noThenProperty: a promise that is tampered with is what is tried
			patched: schema(() => Object.assign(Promise.resolve({ issues: [{ message: "never" }] }), { then: () => 5 })),
		};
		const bus = new MessageBus({ channels: bad });
		const got = vi.fn();
		const alice = bus.join("alice");
		for (const to of Object.keys(bad)) {
			bus.join(to).onMessage(got);
			await expect(alice.sendMessage({ to, content: 1 } as never)).rejects.toMatchObject({ code: "invalid_content" });
		}
		await bus.idle();
		expect(got).not.toHaveBeenCalled();
	});

	it("where the transport fails to take it is forgotten: idle() does not wait for it", async () => {
		const transport = new ToldTransport();
		transport.publish = () => {
			throw new RangeError("Maximum call stack size exceeded");
		};
		const bus = new MessageBus({ transport });
		const alice = bus.join("alice");
		for (const content of [1, 2]) await expect(alice.sendMessage({ to: "bob", content })).rejects.toThrow(RangeError);
		await bus.idle();
		expect(alice.outbox).toEqual([]);
		await bus.close();
		expect(letters(bus)).toEqual([]);
	});

	it("to a name that nobody has is refused in a few words, however long the names are", async () => {
		const bus = new MessageBus();
		const alice = bus.join("alice");
		bus.join("n".repeat(1_000_000));
		const failure = await alice.sendMessage({ to: "n".repeat(999_999), content: 1 }).catch((error: unknown) => error);
		expect(failure).toMatchObject({ code: "unknown_recipient" });
		expect((failure as Error).message.length).toBeLessThan(500);
	});
});

/** A connection that is told what becomes of what is published. */
class ToldTransport implements BusTransport {
	readonly specificationVersion = "v1";
	readonly name = "told";
	listener: BusListener | undefined;
	readonly published: Deferred<number>[] = [];
	channels: () => Promise<readonly string[]> = async () => ["bob"];
	publish: () => number | Promise<number> = () => {
		const taken = deferred<number>();
		this.published.push(taken);
		return taken.promise;
	};
	connect(listener: BusListener): BusConnection {
		this.listener = listener;
		let id = 0;
		return {
			nextId: () => `${++id}`,
			publish: () => this.publish(),
			subscribe: (_channel, { receive }) => {
				this.receive = receive;
				return { ready: undefined, unsubscribe: () => {} };
			},
			channels: () => this.channels(),
			untilSubscribed: () => undefined,
			close: () => {},
		};
	}
	receive: (delivery: never) => void = () => {};
}

describe("A connection that ends", () => {
	it("leaves what was on its way as dead letters, in the log as well, before the bus's run ends there", async () => {
		for (const end of ["lost", "closed"] as const) {
			const transport = new ToldTransport();
			const log = new EventLog();
			const bus = new MessageBus({ transport, log });
			const alice = bus.join("alice");
			const errors = await unheeded(async () => {
				for (const content of [1, 2, 3]) void alice.sendMessage({ to: "far", content });
				if (end === "lost") transport.listener?.onLost("the cable was cut");
				else await bus.close();
				for (const taken of transport.published) taken.reject(new BusError("closed", "too late"));
			});
			expect([errors, letters(bus)]).toEqual([[], [1, 2, 3].map((content) => [content, end])]);
			const events = log.after(0);
			assertWholeLog(events);
			const projection = new BusProjection();
			for (const event of events) projection.observe(event);
			expect(
				projection.messages.map(({ content, recipients, deaths }) => [content, recipients, deaths.map(({ reason }) => reason)]),
			).toEqual([1, 2, 3].map((content) => [content, 0, [end]]));
			await bus.idle();
			await bus.close();
		}
	});

	it("does not swallow an answer that nobody takes: who asked may be gone by the time one finds out", async () => {
		const transport = new ToldTransport();
		const bus = new MessageBus({ transport });
		bus.join("bob").respondToTasks(() => "answer");
		transport.publish = () => 0;
		transport.channels = () => Promise.reject(new BusError("connection_lost", "gone"));
		const message = { id: "1", from: "far", to: "bob", content: "task" };
		transport.receive({ message, ack: () => {}, nack: () => {} } as never);
		await bus.idle();
		await settledDown();
		expect(letters(bus)).toEqual([["answer", "left"]]);
		await expect(bus.join("alice").sendMessage({ to: "far", content: 1 })).rejects.toMatchObject({ code: "unknown_recipient" });
	});
});

describe("An answer that is refused", () => {
	it.each([
		["by the channel of who asked", "bad"],
		["as it is no plain data", () => {}],
	])("%s is not worked for again, and says what was refused", async (_how, answer) => {
		const only = (value: unknown) => (value === "bad" ? { issues: [{ message: "not that" }] } : { value });
		for (const check of [only, async (value: unknown) => only(value)]) {
			const bus = new MessageBus({ channels: { alice: schema(check) }, maxAttempts: 3 });
			let work = 0;
			bus.join("returns").respondToTasks(() => {
				work += 1;
				return answer;
			});
			bus.join("replies").onMessage(async (_message, delivery) => {
				work += 1;
				await delivery.reply(answer);
			});
			bus.join("mends").onMessage(async (_message, delivery) => {
				work += 1;
				await delivery.reply(answer).catch(() => {});
				if (delivery.attempt === 1) throw new Error("for another reason");
			});
			const alice = bus.join("alice");
			for (const to of ["returns", "replies"]) {
				const sent = await alice.sendMessage({ to, content: 1 } as never);
				expect(await sent.settled()).toMatchObject([
					{ reason: "failed", attempts: 1, error: { message: expect.stringContaining('Cannot send the reply to "alice": ') } },
				]);
			}
			const sent = await alice.sendMessage({ to: "mends", content: 1 } as never);
			expect(await sent.settled()).toEqual([{ state: "acked" }]);
			expect(work).toBe(4);
		}
	});
});

describe("A handler that is taken away", () => {
	it("leaves its limits with the message that it was given", async () => {
		const bus = new MessageBus();
		const bob = bus.join("bob");
		const attempts: number[] = [];
		const end = deferred<void>();
		const first = bob.onMessage(
			(_message, { attempt }) => {
				attempts.push(attempt);
				return end.promise;
			},
			{ maxAttempts: 3 },
		);
		const sent = await bus.join("alice").sendMessage({ to: "bob", content: 1 });
		await settledDown();
		first.unsubscribe();
		bob.onMessage((_message, { attempt }) => void attempts.push(attempt));
		end.reject(new Error("no"));
		expect(await sent.settled()).toEqual([{ state: "acked" }]);
		expect(attempts).toEqual([1, 2]);
	});
});
