import { describe, expect, it } from "vitest";
import { ConfigurationError } from "../../src/errors/configuration-error.js";
import type { Hook } from "../../src/hook/hook.js";
import type { HookFamily } from "../../src/hook/hook-facts.js";
import { RobotResult } from "../../src/message/robot-result.js";
import { CALL, chainOf, outcome, rejection } from "./chain.js";

const call = (hooks: readonly Hook[], body = async () => outcome("made")) => chainOf(hooks).run("toolCall", CALL, body);

const RESULT = {
	id: "1",
	robotName: "bob",
	output: [],
	toolCalls: [],
	stopReason: "stop",
	createdAt: "2026-01-01T00:00:00.000Z",
	durationMs: 1,
};

describe("An around", () => {
	it("that does not call next answers in the place of what is further in", async () => {
		const told: unknown[] = [];
		const result = await call(
			[
				{ namespace: "outer", afterToolCall: (context) => told.push(context.result) },
				{ namespace: "refuser", aroundToolCall: () => ({ text: "refused", isError: true }) },
				{ namespace: "inner", beforeToolCall: () => told.push("before"), aroundToolCall: () => expect.fail("is further in") },
			],
			() => expect.fail("is further in"),
		);
		expect(result).toEqual({ text: "refused", isError: true });
		expect(told).toEqual(["before", result]);
	});

	it("may answer with something else than what next gave, also where that failed", async () => {
		const louder: Hook = {
			namespace: "louder",
			aroundToolCall: async (_context, next) => ({ ...(await next()), text: "louder" }),
		};
		const mending: Hook = { namespace: "mending", aroundToolCall: (_context, next) => next().catch(() => outcome("mended")) };
		const errors: unknown[] = [];
		expect(await call([louder])).toEqual(outcome("louder"));
		expect(
			await call([{ namespace: "errors", onError: () => errors.push("told") }, mending], () => Promise.reject(new Error("broken"))),
		).toEqual(outcome("mended"));
		expect(errors).toEqual([]);
	});

	it("that returns what next gave, or another value of the same kind, is taken at its word", async () => {
		const made = outcome("made");
		const result = await call([{ namespace: "x", aroundToolCall: (_context, next) => next() }], async () => made);
		expect(result).toBe(made);
	});

	it("that calls next twice is refused, one after the other and at once", async () => {
		for (const aroundToolCall of [
			async (_context, next) => {
				await next();
				return next();
			},
			async (_context, next) => (await Promise.all([next(), next()]))[0],
		] satisfies Hook["aroundToolCall"][]) {
			let made = 0;
			const error = await rejection(call([{ namespace: "twice", aroundToolCall }], async () => outcome(String(made++))));
			expect(error).toBeInstanceOf(ConfigurationError);
			expect(error).toMatchObject({ message: 'aroundToolCall of the hook "twice" called next() twice. Keep what it gave the first time.' });
			expect(made).toBe(1);
		}
	});

	it("cannot call next after it has ended", async () => {
		let late: (() => Promise<unknown>) | undefined;
		await call([
			{
				namespace: "late",
				aroundToolCall: (_context, next) => {
					late = next;
					return outcome("early");
				},
			},
		]);
		expect(() => late?.()).toThrow('aroundToolCall of the hook "late" called next() after it had ended. Await it inside the around.');
	});

	it("is waited for together with what it began and did not wait for itself", async () => {
		const written: string[] = [];
		const body = async () => {
			await new Promise(setImmediate);
			written.push("made");
			throw new Error("nobody hears of it");
		};
		const impatient: Hook = {
			namespace: "impatient",
			aroundToolCall: (_context, next) => {
				void next();
				return outcome("early");
			},
		};
		const failing: Hook = {
			namespace: "failing",
			aroundToolCall: (_context, next) => {
				void next();
				throw new Error("early");
			},
		};
		expect(await call([impatient], body)).toEqual(outcome("early"));
		written.push("ended");
		expect(await rejection(call([failing], body))).toEqual(new Error("early"));
		written.push("ended");
		expect(written).toEqual(["made", "ended", "made", "ended"]);
	});

	it.each<[HookFamily, unknown, string]>([
		["run", undefined, "a RobotResult, got undefined"],
		["run", { ...RESULT }, "a RobotResult, got an object"],
		["llmGeneration", { text: "hi" }, "{ text, stopReason, usage }, got an object"],
		["llmGeneration", { text: "hi", stopReason: "because", usage: {} }, "{ text, stopReason, usage }, got an object"],
		["llmGeneration", "hi", '{ text, stopReason, usage }, got "hi"'],
		["toolCall", undefined, "{ text, isError }, got undefined"],
		["toolCall", "refused", '{ text, isError }, got "refused"'],
		["toolCall", { text: "refused" }, "{ text, isError }, got an object"],
		["toolCall", { text: 3, isError: true }, "{ text, isError }, got an object"],
		["networkRun", undefined, "what next() gives, or something in its place, got undefined"],
		["task", undefined, "what next() gives, or something in its place, got undefined"],
		["learn", ["a", 5], "a list of texts, got a list"],
		["learn", "a", 'a list of texts, got "a"'],
	])("of %s that answers with %o is refused by its name", async (family, answer, expected) => {
		const method = `around${family[0]?.toUpperCase()}${family.slice(1)}`;
		const hook = { namespace: "odd", [method]: async () => answer } as unknown as Hook;
		const error = await rejection(chainOf([hook]).run(family, {} as never, () => expect.fail("is further in")));
		expect(ConfigurationError.isInstance(error)).toBe(true);
		expect(error).toMatchObject({ message: `${method} of the hook "odd": what it answers with must be ${expected}.` });
	});

	it("of compaction has to answer with messages that a model accepts", async () => {
		const answering = (answer: unknown): Hook => ({ namespace: "odd", aroundCompaction: () => answer as never });
		const run = (answer: unknown) => chainOf([answering(answer)]).run("compaction", { messages: [] }, () => expect.fail("is further in"));
		const said = [{ type: "text", role: "user", content: "hi" }];
		expect(await run(said)).toEqual(said);
		for (const wrong of [undefined, [{ type: "text", role: "assistant", content: "hi" }], [5]]) {
			const error = await rejection(run(wrong));
			expect(error).toMatchObject({
				message: expect.stringMatching(/^aroundCompaction of the hook "odd": what it answers with cannot be used\. Cannot make a history/),
			});
		}
	});

	it("of a run may answer with a RobotResult of another copy of the package", async () => {
		const foreign = { toJSON: () => RESULT };
		const hook: Hook = { namespace: "foreign", aroundRun: () => foreign as never };
		const result = await chainOf([hook]).run("run", { message: "hi" }, () => expect.fail("is further in"));
		expect(result.toJSON()).toEqual({ ...RESULT });
		const own = RobotResult.fromJSON(RESULT);
		const same: Hook = { namespace: "same", aroundRun: () => own };
		expect(await chainOf([same]).run("run", { message: "hi" }, () => expect.fail("is further in"))).toBe(own);
		const junk: Hook = { namespace: "junk", aroundRun: () => ({ toJSON: () => ({ id: 5 }) }) as never };
		expect(await rejection(chainOf([junk]).run("run", { message: "hi" }, () => expect.fail("is further in")))).toMatchObject({
			message: 'aroundRun of the hook "junk": what it answers with cannot be used. Cannot read a RobotResult: id must be a string, got 5.',
		});
	});
});
