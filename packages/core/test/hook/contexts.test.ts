import { describe, expect, it } from "vitest";
import type { Hook } from "../../src/hook/hook.js";
import type { HookFacts } from "../../src/hook/hook-facts.js";
import { Memory } from "../../src/memory/memory.js";
import { CALL, chainOf, outcome, rejection } from "./chain.js";

/** What the body of a tool call got, with these hooks around it. */
async function argumentsOf(hooks: readonly Hook[], args: unknown = { a: 1 }): Promise<unknown> {
	let given: HookFacts["toolCall"] | undefined;
	await chainOf(hooks).run("toolCall", { ...CALL, args }, async (facts) => {
		given = facts;
		return outcome("made");
	});
	return given?.args;
}

/** What a hook has as its method before a call, written without types. */
const before = (change: (context: Record<string, unknown>) => unknown): Hook => ({
	namespace: "changer",
	beforeToolCall: (context) => change(context as unknown as Record<string, unknown>),
});

describe("The context of a hook", () => {
	it("says whose run it is, what is done, and what it came to", async () => {
		const memory = new Memory();
		const { signal } = new AbortController();
		const seen: unknown[] = [];
		const hook: Hook = {
			namespace: "seeing",
			beforeToolCall: (context) => seen.push({ ...context }),
			aroundToolCall: (context, next) => {
				seen.push({ ...context });
				return next();
			},
			afterToolCall: (context) => seen.push({ ...context }),
		};
		await chainOf([hook], { robotName: "bob", runId: "run-1", signal, memory }).run("toolCall", CALL, async () => outcome("3"));
		const known = { family: "toolCall", robotName: "bob", runId: "run-1", signal, memory, local: {}, ...CALL };
		expect(seen).toEqual([known, known, { ...known, result: outcome("3") }]);
	});

	it("takes what a hook sets, for the hooks that are told later and for what is done", async () => {
		const seen: unknown[] = [];
		const hook: Hook = {
			namespace: "setting",
			beforeToolCall: (context) => {
				context.args = { a: 2 };
			},
			aroundToolCall: (context, next) => {
				seen.push(context.args);
				context.args = { a: 3 };
				return next();
			},
			afterToolCall: (context) => seen.push(context.args),
		};
		expect(await argumentsOf([hook])).toEqual({ a: 3 });
		expect(seen).toEqual([{ a: 2 }, { a: 3 }]);
		const facts = { ...CALL };
		await chainOf([hook]).run("toolCall", facts, async () => outcome(""));
		expect(facts).toEqual(CALL);
	});

	it("shows arguments that cannot be changed inside, and leaves those of the model as they are", async () => {
		const args = { deep: { a: 1 } };
		const error = await rejection(argumentsOf([before((context) => Object.assign((context.args as typeof args).deep, { a: 2 }))], args));
		expect(error).toBeInstanceOf(TypeError);
		expect(args).toEqual({ deep: { a: 1 } });
		expect(await argumentsOf([before(() => {})], args)).toBe(args);
	});

	it.each(["toolName", "runId", "family", "local", "signal"])("refuses another %s", async (name) => {
		const change = before((context) => {
			context[name] = "another";
		});
		expect(await rejection(argumentsOf([change]))).toBeInstanceOf(TypeError);
	});

	it.each(["arg", "result", "error", "__proto__"])("refuses %s, which nobody would read", async (name) => {
		const change = before((context) => {
			context[name] = {};
		});
		expect(await rejection(argumentsOf([change]))).toBeInstanceOf(TypeError);
	});

	it.each<["run" | "llmGeneration" | "learn", string, unknown]>([
		["run", "message", " "],
		["run", "message", undefined],
		["llmGeneration", "message", 5],
		["learn", "text", ""],
	])("of %s refuses a %s that is none at the line that sets it: %o", async (family, name, value) => {
		const method = `before${family[0]?.toUpperCase()}${family.slice(1)}`;
		const hook = {
			namespace: "odd",
			[method]: (context: Record<string, unknown>) => {
				context[name] = value;
			},
		} as unknown as Hook;
		expect(await rejection(chainOf([hook]).run(family, { [name]: "fine" } as never, () => expect.fail("not to be done")))).toMatchObject({
			code: "configuration",
			message: expect.stringMatching(`^${method} of the hook "odd": context.${name} must be a text that is not blank, got `),
		});
	});

	it("keeps what was there where a hook overlooks that it was refused", async () => {
		const hook: Hook = {
			namespace: "careless",
			beforeRun: (context) => {
				try {
					context.message = "";
				} catch {}
			},
		};
		const seen: string[] = [];
		await chainOf([hook]).run("run", { message: "hi" }, async ({ message }) => {
			seen.push(message);
			return undefined as never;
		});
		expect(seen).toEqual(["hi"]);
	});

	it("takes another result after it was done; the outermost hook has the last word", async () => {
		const seen: unknown[] = [];
		const adding = (namespace: string): Hook => ({
			namespace,
			afterToolCall: (context) => {
				seen.push(context.result.text);
				context.result = outcome(`${context.result.text} ${namespace}`);
			},
		});
		const result = await chainOf([adding("outer"), adding("inner")]).run("toolCall", CALL, async () => outcome("made"));
		expect(result).toEqual(outcome("made inner outer"));
		expect(seen).toEqual(["made", "made inner"]);
	});

	it("refuses a result that is none, and a fact that is set too late", async () => {
		const after = (change: (context: Record<string, unknown>) => unknown): Hook => ({
			namespace: "late",
			afterToolCall: (context) => change(context as unknown as Record<string, unknown>),
		});
		const wrong = after((context) => {
			context.result = "text";
		});
		expect(await rejection(argumentsOf([wrong]))).toMatchObject({
			message: 'afterToolCall of the hook "late": context.result must be { text, isError }, got "text".',
		});
		const late = after((context) => {
			context.args = {};
		});
		expect(await rejection(argumentsOf([late]))).toBeInstanceOf(TypeError);
	});
});

describe("A hook's local state", () => {
	it("is its own for the whole run, over all families", async () => {
		const seen: unknown[] = [];
		const counting = (namespace: string): Hook => ({
			namespace,
			beforeRun: ({ local }) => {
				local.calls = 0;
			},
			beforeToolCall: ({ local }) => {
				local.calls = (local.calls as number) + 1;
			},
			onError: ({ local }) => seen.push(namespace, local.calls),
		});
		const once = counting("once");
		const chain = chainOf([counting("same"), counting("same"), once]);
		await rejection(
			chain.run("run", { message: "hi" }, async () => {
				await Promise.all([1, 2].map(() => chain.run("toolCall", CALL, async () => outcome(""))));
				throw new Error("done");
			}),
		);
		expect(seen).toEqual(["same", 2, "same", 2, "once", 2]);
		const next = chainOf([{ namespace: "next", beforeToolCall: ({ local }) => seen.push(Object.keys(local)) }, once]);
		await next.run("toolCall", CALL, async () => outcome(""));
		expect(seen.at(-1)).toEqual([]);
	});

	it("holds nothing that was not put there, whatever the name", async () => {
		const seen: unknown[] = [];
		await chainOf([
			{ namespace: "x", beforeToolCall: ({ local }) => seen.push(...["constructor", "__proto__"].map((name) => local[name])) },
		]).run("toolCall", CALL, async () => outcome(""));
		expect(seen).toEqual([undefined, undefined]);
	});

	it("is not that of an around further in when next has given its result", async () => {
		const seen: unknown[] = [];
		const marking = (namespace: string): Hook => ({
			namespace,
			aroundToolCall: async (context, next) => {
				context.local.mark = namespace;
				const result = await next();
				seen.push(context.local.mark);
				return result;
			},
		});
		await chainOf([marking("outer"), marking("inner")]).run("toolCall", CALL, async () => outcome(""));
		expect(seen).toEqual(["inner", "outer"]);
	});
});
