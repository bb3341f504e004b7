import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ConfigurationError } from "../../src/errors/configuration-error.js";
import { SequenceCounter } from "../../src/stream/sequence-counter.js";
import { StreamContext } from "../../src/stream/stream-context.js";
import type { PublishedEvent } from "../../src/stream/stream-event.js";
import { recordedContext, settled, warningsDuring } from "./publishing.js";

describe("StreamContext.publishEvent()", () => {
	it("publishes and returns one frozen envelope of exactly five entries", () => {
		const { context, published } = recordedContext({ now: () => 1_700_000_000_123 });
		const event = context.publishEvent({ event: "text.delta", data: { delta: "Hello" } });
		expect(event).toStrictEqual({
			event: "text.delta",
			data: { delta: "Hello", runId: "run-1", messageId: "message-1", scope: "network" },
			timestamp: 1_700_000_000_123,
			sequenceNumber: 1,
			id: "publish-1:text.delta",
		});
		expect(published[0]).toBe(event);
		expect(Object.isFrozen(event) && Object.isFrozen(event.data)).toBe(true);
	});

	it("numbers from 1, without gaps, and needs no data", () => {
		const { context, published } = recordedContext();
		for (const event of ["run.started", "run.completed", "stream.ended"]) context.publishEvent({ event });
		expect(published.map(({ id }) => id)).toEqual(["publish-1:run.started", "publish-2:run.completed", "publish-3:stream.ended"]);
		expect(published[2]?.data).toStrictEqual({ runId: "run-1", messageId: "message-1", scope: "network" });
	});

	it("lets what data says of its origin give way", () => {
		const { context } = recordedContext({ parentRunId: "above" });
		const data = { runId: "x", messageId: 5, scope: null, parentRunId: "x", delta: "a" };
		expect(context.publishEvent({ event: "text.delta", data }).data).toStrictEqual({
			runId: "run-1",
			messageId: "message-1",
			scope: "network",
			parentRunId: "above",
			delta: "a",
		});
	});

	it("hands on what data of a context beneath nobody says of a run above: as the reference, which has no entry for it", () => {
		expect(recordedContext().context.publishEvent({ event: "run.started", data: { parentRunId: "elsewhere" } }).data).toMatchObject({
			parentRunId: "elsewhere",
		});
	});

	it("keeps nothing of its caller's that could still be changed", () => {
		const { context } = recordedContext();
		const data = { list: [{ a: 1 }], error: new Error("no"), toString: { x: 1 } };
		const event = context.publishEvent({ event: "data.delta", data });
		data.list[0] = { a: 2 };
		data.error.message = "yes";
		data.toString.x = 2;
		expect(event.data).toMatchObject({ list: [{ a: 1 }], error: { name: "Error", message: "no" }, toString: { x: 1 } });
		expect([event.data.list, (event.data.list as object[])[0], event.data.error].every(Object.isFrozen)).toBe(true);
	});

	it("makes an envelope that JSON.stringify can write, whatever the data, and takes one number for it", () => {
		const { context, published } = recordedContext();
		fc.assert(
			fc.property(fc.object({ withBigInt: true, withDate: true, withMap: true, withSet: true, withTypedArray: true }), (data) => {
				const before = context.sequenceCounter.current;
				const event = context.publishEvent({ event: "data.delta", data });
				expect(JSON.parse(JSON.stringify(event))).toMatchObject({ sequenceNumber: before + 1, data: { runId: "run-1" } });
			}),
		);
		expect(published.map(({ sequenceNumber }) => sequenceNumber)).toEqual(published.map((_, index) => index + 1));
	});

	it("publishes data of which an entry cannot be read, and says so there", () => {
		const data = {
			get broken(): string {
				throw new Error("no");
			},
			fine: 1,
		};
		expect(recordedContext().context.publishEvent({ event: "data.delta", data }).data).toMatchObject({
			broken: "[cannot be read]",
			fine: 1,
		});
	});

	it("numbers what data publishes while it is read before the event that it is for", () => {
		const { context, published } = recordedContext();
		const data = {
			get sly() {
				return context.publishEvent({ event: "metadata.updated" }).sequenceNumber;
			},
		};
		expect(context.publishEvent({ event: "data.delta", data }).data.sly).toBe(1);
		expect(published.map(({ id }) => id)).toEqual(["publish-1:metadata.updated", "publish-2:data.delta"]);
	});

	it("takes any name, unless it is strict, and then none but the twenty", () => {
		const { context: open } = recordedContext();
		expect(open.publishEvent({ event: "my.own" }).id).toBe("publish-1:my.own");
		const { context: strict, published } = recordedContext({ strict: true });
		expect(() => strict.publishEvent({ event: "text.dleta" })).toThrow(/"text\.dleta".*Did you mean "text\.delta"\?.*strict/);
		expect(() => strict.createChildContext("below").publishEvent({ event: "text.dleta" })).toThrow(ConfigurationError);
		expect(published).toEqual([]);
		expect(strict.publishEvent({ event: "text.delta" }).sequenceNumber).toBe(1);
	});

	it.each([undefined, null, 5, Symbol("a"), {}, ""])(
		"throws for a name that is no text, or empty (%s), and takes no number for it",
		(event) => {
			const { context } = recordedContext();
			expect(() => context.publishEvent({ event: event as never })).toThrow(/its name must be text that is not empty/);
			expect(() => context.publishEvent({ event: event as never })).toThrow(ConfigurationError);
			expect(context.publishEvent({ event: "run.started" }).sequenceNumber).toBe(1);
		},
	);

	it("does for a delta what it must and no more: each entry read once, one look at the clock, one copy, one call", () => {
		const calls: string[] = [];
		const note = <Answer>(what: string, answer: Answer): Answer => {
			calls.push(what);
			return answer;
		};
		const data = new Proxy(
			{ partId: "p", delta: "a" },
			{
				ownKeys: (target) => note("keys", Reflect.ownKeys(target)),
				get: (target, key) => note(`get ${String(key)}`, Reflect.get(target, key)),
			},
		);
		const { context } = recordedContext({
			now: () => note("clock", 1),
			randomHex: () => note("random", "00000000"),
			newId: () => note("id", "id"),
			publish: () => note("publish", undefined),
		});
		context.publishEvent({ event: "text.delta", data });
		expect(calls).toEqual(["keys", "get partId", "get delta", "clock", "publish"]);
	});
});

describe("The publisher of a StreamContext", () => {
	class Unreadable extends Error {
		override get message(): string {
			throw new Error("not even this");
		}
	}
	const failing: readonly [string, () => unknown][] = [
		["throws", () => { throw new Error("wire cut"); }], // biome-ignore format: one line
		["rejects", async () => Promise.reject(new Error("wire cut"))],
		["throws what has no text", () => { throw Object.create(null); }], // biome-ignore format: one line
		["rejects with an error that cannot be read", async () => Promise.reject(new Unreadable())],
		["throws nothing", () => { throw undefined; }], // biome-ignore format: one line
	];

	it.each(failing)("that %s changes nothing, and the process is warned once", async (_, publish) => {
		const { context } = recordedContext({ publish });
		const warnings = await warningsDuring(() => {
			expect([1, 2].map(() => context.publishEvent({ event: "run.started" }).sequenceNumber)).toEqual([1, 2]);
		});
		expect(warnings.map(({ code }) => code)).toEqual(["ROBOT_LAB_PUBLISHER_FAILED"]);
		expect(warnings[0]?.message).toContain("run-1");
	});

	it.each(failing)("that %s is told of to onPublishError each time, and nobody is warned", async (_, publish) => {
		const failures: unknown[] = [];
		const { context } = recordedContext({ publish, onPublishError: (error) => failures.push(error) });
		const warnings = await warningsDuring(() => {
			context.publishEvent({ event: "run.started" });
			context.createChildContext("below").publishEvent({ event: "run.started" });
		});
		expect(failures).toHaveLength(2);
		expect(warnings).toEqual([]);
	});

	it.each(failing)("may fail together with an onPublishError that %s", async (_, onPublishError) => {
		const { context } = recordedContext({ publish: () => Promise.reject(new Error("first")), onPublishError });
		const warnings = await warningsDuring(() => {
			expect(context.publishEvent({ event: "run.started" }).sequenceNumber).toBe(1);
		});
		expect(warnings.map(({ code }) => code)).toEqual(["ROBOT_LAB_PUBLISHER_FAILED"]);
	});

	it("does not go round for ever with an onPublishError that publishes", () => {
		let told = 0;
		const { context } = recordedContext({
			publish: () => { throw new Error("wire cut"); }, // biome-ignore format: one line
			onPublishError: () => {
				told += 1;
				context.publishEvent({ event: "metadata.updated" });
			},
		});
		context.publishEvent({ event: "run.started" });
		expect([told, context.sequenceCounter.current]).toEqual([1, 2]);
		context.publishEvent({ event: "run.completed" });
		expect([told, context.sequenceCounter.current]).toEqual([2, 4]);
	});

	it("is not waited for", async () => {
		const { context } = recordedContext({ publish: () => new Promise(() => {}) });
		expect(context.publishEvent({ event: "run.started" }).sequenceNumber).toBe(1);
		await settled();
	});
});

describe("The clock of a StreamContext", () => {
	it.each<[string, number, number]>([
		["a fraction", 1_234.9, 1_234],
		["a time before 1970", -1_234.9, -1_234],
		["a little before 1970", -0.5, 0],
		["no number", Number.NaN, 0],
		["no end", Number.POSITIVE_INFINITY, 0],
	])("may give %s: whole milliseconds are published", (_, now, timestamp) => {
		expect(recordedContext({ now: () => now }).context.publishEvent({ event: "run.started" }).timestamp).toBe(timestamp);
	});

	it("may go back: the numbers go on", () => {
		const times = [500, 300, 400];
		const { context, published } = recordedContext({ now: () => times.shift() ?? 0 });
		for (let count = 0; count < 3; count += 1) context.publishEvent({ event: "data.delta" });
		expect(published.map(({ sequenceNumber, timestamp }) => [sequenceNumber, timestamp])).toEqual([[1, 500], [2, 300], [3, 400]]); // biome-ignore format: pairs
	});

	it("that throws throws, and leaves no gap in the numbers", () => {
		let isBroken = true;
		const { context } = recordedContext({ now: () => { if (isBroken) throw new Error("no time"); return 1; } }); // biome-ignore format: one line
		expect(() => context.publishEvent({ event: "run.started" })).toThrow("no time");
		isBroken = false;
		expect(context.publishEvent({ event: "run.started" }).sequenceNumber).toBe(1);
	});
});

describe("Contexts of one sequence", () => {
	it("createChildContext() has the same publisher and counter, a new message, the scope robot and the run above, in its data too", () => {
		const { context, published } = recordedContext({ newId: () => "new-message", strict: true });
		context.publishEvent({ event: "run.started" });
		const child = context.createChildContext("run-2");
		expect(child).toMatchObject({ runId: "run-2", messageId: "new-message", scope: "robot", parentRunId: "run-1" });
		expect(child.sequenceCounter).toBe(context.sequenceCounter);
		child.publishEvent({ event: "run.started" });
		const below = child.createChildContext("run-3", "script");
		below.publishEvent({ event: "run.started" });
		context.publishEvent({ event: "run.completed" });
		expect(published.map(({ sequenceNumber }) => sequenceNumber)).toEqual([1, 2, 3, 4]);
		expect(published.map(({ data }) => data)).toStrictEqual([
			{ runId: "run-1", messageId: "message-1", scope: "network" },
			{ runId: "run-2", messageId: "new-message", scope: "robot", parentRunId: "run-1" },
			{ runId: "run-3", messageId: "new-message", scope: "script", parentRunId: "run-2" },
			{ runId: "run-1", messageId: "message-1", scope: "network" },
		]);
	});

	it("createContextWithSharedSequence() has the same publisher and counter, and is beneath nobody", () => {
		const { context, published } = recordedContext({ parentRunId: "above" });
		context.publishEvent({ event: "run.started" });
		const other = context.createContextWithSharedSequence({ runId: "run-2", messageId: "message-2", scope: "tool" });
		expect(other).toMatchObject({ runId: "run-2", messageId: "message-2", scope: "tool", parentRunId: undefined });
		other.publishEvent({ event: "run.started" });
		expect(published[1]).toMatchObject({ sequenceNumber: 2, id: "publish-2:run.started" });
		expect(published[1]?.data).toStrictEqual({ runId: "run-2", messageId: "message-2", scope: "tool" });
	});

	it("createContextForMessage() is the same run with another message", () => {
		const { context } = recordedContext({ parentRunId: "above", newId: () => "new-message" });
		expect(context.createContextForMessage()).toMatchObject({
			runId: "run-1",
			messageId: "new-message",
			scope: "network",
			parentRunId: "above",
			sequenceCounter: context.sequenceCounter,
		});
		expect(context.createContextForMessage("mine").messageId).toBe("mine");
	});

	it("two contexts that were given one counter are one sequence, from where it stands", () => {
		const sequenceCounter = new SequenceCounter(7);
		const contexts = [recordedContext({ sequenceCounter }).context, recordedContext({ sequenceCounter, runId: "run-2" }).context];
		expect(contexts.map((context) => context.publishEvent({ event: "run.started" }).sequenceNumber)).toEqual([8, 9]);
	});

	it("two contexts that were given none are two sequences", () => {
		const contexts = [recordedContext().context, recordedContext().context];
		expect(contexts.map((context) => context.publishEvent({ event: "run.started" }).sequenceNumber)).toEqual([1, 1]);
	});

	it("have no gaps and no repetition, whoever publishes when and however often a publisher fails", () => {
		const steps = fc.array(fc.tuple(fc.nat(9), fc.constantFrom("publish", "child", "shared", "message")), { maxLength: 60 });
		fc.assert(
			fc.property(steps, fc.func(fc.boolean()), (schedule, fails) => {
				const published: PublishedEvent[] = [];
				const { context } = recordedContext({
					publish: (event) => {
						published.push(event);
						if (fails(event.sequenceNumber)) throw new Error("now and then");
					},
					onPublishError: () => {},
				});
				const contexts = [context];
				for (const [which, step] of schedule) {
					const chosen = contexts[which % contexts.length] ?? context;
					if (step === "publish") chosen.publishEvent({ event: "data.delta", data: { delta: "x" } });
					else if (step === "child") contexts.push(chosen.createChildContext(`run-${contexts.length}`));
					else if (step === "message") contexts.push(chosen.createContextForMessage());
					else contexts.push(chosen.createContextWithSharedSequence({ runId: "r", messageId: "m", scope: "s" }));
				}
				expect(published.map(({ sequenceNumber }) => sequenceNumber)).toEqual(published.map((_, index) => index + 1));
				for (const { event, id, sequenceNumber } of published) expect(id).toBe(`publish-${sequenceNumber}:${event}`);
			}),
		);
	});
});

describe("The ids of a StreamContext", () => {
	it("generatePartId() has 8 of the message, 6 digits of the time and 8 random digits", () => {
		const { context } = recordedContext({ messageId: "37ac1d49-99", now: () => 1_700_000_815_007, randomHex: () => "8f522876" });
		expect(context.generatePartId()).toBe("part_37ac1d49_815007_8f522876");
	});

	it("generatePartId() of another message differs in its first segment only, of the same in its last", () => {
		const { context } = recordedContext({ messageId: "aaaaaaaa-1", now: () => 7 });
		expect(context.generatePartId()).toMatch(/^part_aaaaaaaa_000007_[0-9a-f]{8}$/);
		expect(context.createContextForMessage("bbbbbbbb-2").generatePartId()).toMatch(/^part_bbbbbbbb_000007_[0-9a-f]{8}$/);
		expect(new Set(Array.from({ length: 1_000 }, () => context.generatePartId())).size).toBe(1_000);
	});

	it.each([
		"",
		" ",
		"a b\tc",
		"x".repeat(500),
		"👩‍👩‍👧‍👦👩‍👩‍👧‍👦",
		"\u0000\u001b[31m\n",
		"../../etc",
		"\ud800",
		"ünïcödé",
		`${"a".repeat(7)}👍`,
	])("generatePartId() is at most 40 safe characters for the message %j", (messageId) => {
		const part = recordedContext({ messageId }).context.generatePartId();
		expect(part).toMatch(/^part_[A-Za-z0-9_-]{0,8}_\d{6}_[0-9a-f]{8}$/);
	});

	it("generatePartId() is at most 40 safe characters for any message and any clock", () => {
		const clock = fc.oneof(fc.double(), fc.integer(), fc.constantFrom(Number.NaN, -0, 2 ** 53, 1e300));
		fc.assert(
			fc.property(fc.string({ unit: "binary" }), clock, (messageId, time) => {
				const part = recordedContext({ messageId, now: () => time }).context.generatePartId();
				expect(part).toMatch(/^part_[A-Za-z0-9_-]{0,8}_\d{6}_[0-9a-f]{8}$/);
				expect(part.length).toBeLessThanOrEqual(40);
			}),
		);
	});

	it("generateStepId() reads the number and does not take one", () => {
		const { context } = recordedContext();
		expect([context.generateStepId("text"), context.generateStepId("text")]).toEqual(["publish-0:text", "publish-0:text"]);
		const { id } = context.publishEvent({ event: "text" });
		expect([context.generateStepId("text"), context.createChildContext("below").generateStepId("text")]).toEqual([id, id]);
		expect(context.publishEvent({ event: "text" }).sequenceNumber).toBe(2);
	});

	it("generateMessageId() is a new UUID each time", () => {
		const { context } = recordedContext();
		const ids = [context.generateMessageId(), context.generateMessageId(), context.createChildContext("below").messageId];
		expect(new Set(ids).size).toBe(3);
		for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
	});
});

describe("new StreamContext()", () => {
	const options = { runId: "r", messageId: "m", scope: "s", publish: () => {} };

	it.each(["runId", "messageId", "scope", "publish"] as const)("throws without %s, and says what it got", (name) => {
		for (const value of [undefined, null, 5]) {
			expect(() => new StreamContext({ ...options, [name]: value as never })).toThrow(new RegExp(`needs (a )?${name}.* got ${value}`));
		}
		expect(() => new StreamContext(undefined as never)).toThrow(ConfigurationError);
	});

	it("takes empty text for an id", () => {
		const context = new StreamContext({ ...options, runId: "", messageId: "", scope: "" });
		expect(context.publishEvent({ event: "my.own" })).toMatchObject({
			id: "publish-1:my.own",
			data: { runId: "", messageId: "", scope: "" },
		});
	});

	it("createChildContext() throws for a run that is no text", () => {
		expect(() => new StreamContext(options).createChildContext(undefined as never)).toThrow(/runId/);
	});
});
