import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Hook } from "../../src/hook/hook.js";
import type { FailedHookContext } from "../../src/hook/hook-context.js";
import { CALL, chainOf, outcome, rejection } from "./chain.js";

const TASK = { networkName: "net", taskName: "one", input: 1 };
const warnings: string[] = [];
const note = (warning: Error): void => void warnings.push(warning.message);

// they are warned of on purpose
beforeAll(() => void process.removeAllListeners("warning"));
beforeEach(() => {
	warnings.length = 0;
	process.on("warning", note);
});
afterEach(() => void process.off("warning", note));

/** Process warnings are told in the next turn. */
const warned = async (): Promise<readonly string[]> => {
	await new Promise(setImmediate);
	return warnings;
};

const broken = (method: keyof Hook, thrown: unknown): Hook =>
	({
		namespace: "broken",
		[method]: () => {
			throw thrown;
		},
	}) as unknown as Hook;

/** Hears of everything there is. */
function witness(heard: unknown[], namespace = "witness"): Hook {
	return {
		namespace,
		beforeToolCall: () => heard.push("before"),
		afterToolCall: () => heard.push("after"),
		onError: (context) => heard.push([context.family, context.error]),
	};
}

describe("A failure", () => {
	it.each(["beforeToolCall", "aroundToolCall", "afterToolCall"] as const)(
		"of %s is told to every onError and thrown as it is, and no after further out is told",
		async (method) => {
			for (const thrown of [new Error("broken"), "a text", undefined, null, Symbol("odd")]) {
				const heard: unknown[] = [];
				const chain = chainOf([witness(heard), broken(method, thrown), witness(heard)]);
				expect(await rejection(chain.run("toolCall", CALL, async () => outcome("")))).toBe(thrown);
				const told = ["toolCall", thrown];
				const before = method === "beforeToolCall" ? ["before"] : ["before", "before"];
				const after = method === "afterToolCall" ? ["after"] : [];
				expect(heard).toEqual([...before, ...after, told, told]);
			}
		},
	);

	it("of what is done is one too, in each family that it goes through", async () => {
		const heard: unknown[] = [];
		const error = new Error("broken");
		const chain = chainOf([witness(heard)]);
		const work = chain.run("task", TASK, () => chain.run("learn", { text: "x", learnings: [] }, () => Promise.reject(error)));
		expect(await rejection(work)).toBe(error);
		expect(heard).toEqual([
			["learn", error],
			["task", error],
		]);
	});

	it("of something that throws before it gives a promise is one as well", async () => {
		const heard: unknown[] = [];
		const error = new Error("at once");
		const work = chainOf([witness(heard)]).run("toolCall", CALL, () => {
			throw error;
		});
		expect(await rejection(work)).toBe(error);
		expect(heard).toEqual(["before", ["toolCall", error]]);
	});

	it("is not hidden by an onError that fails: that is one process warning for each hook", async () => {
		const heard: unknown[] = [];
		const error = new Error("the first");
		const failing: Hook = {
			namespace: "failing",
			onError: async () => {
				throw new Error("the second");
			},
		};
		const odd = broken("onError", Object.create(null));
		const chain = chainOf([failing, odd, witness(heard)]);
		const work = (): Promise<unknown> => rejection(chain.run("toolCall", CALL, () => Promise.reject(error)));
		expect([await work(), await work()]).toEqual([error, error]);
		expect(heard).toEqual(["before", ["toolCall", error], "before", ["toolCall", error]]);
		expect(await warned()).toEqual([
			'onError of the hook "failing" failed, which changes nothing and is told once: the second',
			'onError of the hook "broken" failed, which changes nothing and is told once: it failed without saying why',
		]);
	});

	it("is told with what hooks had set, and nothing of that can be set any more", async () => {
		const contexts: FailedHookContext[] = [];
		const hook: Hook = {
			namespace: "x",
			beforeToolCall: (context) => {
				context.args = { a: 2 };
			},
			onError: (context) => {
				contexts.push(context);
				(context as { error: unknown }).error = undefined;
			},
		};
		const error = new Error("broken");
		expect(await rejection(chainOf([hook]).run("toolCall", CALL, () => Promise.reject(error)))).toBe(error);
		const [context] = contexts;
		expect(context).toMatchObject({ family: "toolCall", error });
		expect(context?.family === "toolCall" && context.args).toEqual({ a: 2 });
		expect(Object.isExtensible(context)).toBe(false);
		expect(await warned()).toHaveLength(1);
	});

	it("that a tool told of as text is none", async () => {
		const heard: unknown[] = [];
		await chainOf([witness(heard)]).run("toolCall", CALL, async () => ({ text: "Error (add): broken", isError: true }));
		expect(heard).toEqual(["before", "after"]);
	});
});
