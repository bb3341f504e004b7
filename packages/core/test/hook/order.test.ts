import { describe, expect, it } from "vitest";
import { checkHooks } from "../../src/hook/check-hooks.js";
import type { Hook } from "../../src/hook/hook.js";
import { HookChain } from "../../src/hook/hook-chain.js";
import type { HookFacts, HookFamily } from "../../src/hook/hook-facts.js";
import { HOOK_METHODS, METHODS_OF } from "../../src/hook/hook-methods.js";
import { registerHook } from "../../src/hook/register-hook.js";
import { RobotResult } from "../../src/message/robot-result.js";
import { CALL, chainOf, outcome } from "./chain.js";

/** A hook that writes down each of its methods as it is called, and gives way to what is further in. */
function writingHook(namespace: string, written: string[]): Hook {
	const hook: Record<string, unknown> = { namespace };
	for (const method of HOOK_METHODS) {
		hook[method] = method.startsWith("around")
			? async (_context: unknown, next: () => Promise<unknown>) => {
					written.push(`${namespace} ${method}`);
					const result = await next();
					written.push(`${namespace} ${method} ends`);
					return result;
				}
			: () => void written.push(`${namespace} ${method}`);
	}
	return hook as unknown as Hook;
}

const FACTS: HookFacts = {
	run: { message: "hello" },
	llmGeneration: { message: "hello", model: "a/b", systemPrompt: "", tools: [], messages: [] },
	toolCall: CALL,
	networkRun: { networkName: "net", input: 1 },
	task: { networkName: "net", taskName: "one", input: 1 },
	learn: { text: "water boils", learnings: [] },
	compaction: { messages: [] },
};

describe("The order of hooks", () => {
	it("is global, network, robot, run: befores in it, arounds nested in it, afters in its reverse", async () => {
		const written: string[] = [];
		using _ = registerHook(writingHook("global", written));
		const scoped = (name: string) => checkHooks("hooks", [writingHook(name, written)]);
		const chain = HookChain.of({ run: scoped("run"), robot: scoped("robot"), network: scoped("network") }, {});
		const result = await chain?.run("toolCall", CALL, async () => {
			written.push("the call");
			return outcome("3");
		});
		expect(result).toEqual(outcome("3"));
		const names = ["global", "network", "robot", "run"];
		expect(written).toEqual([
			...names.map((name) => `${name} beforeToolCall`),
			...names.map((name) => `${name} aroundToolCall`),
			"the call",
			...names.toReversed().map((name) => `${name} aroundToolCall ends`),
			...names.toReversed().map((name) => `${name} afterToolCall`),
		]);
	});

	it.each(Object.keys(METHODS_OF) as HookFamily[])("calls the methods of %s and no others", async (family) => {
		const written: string[] = [];
		const chain = chainOf([writingHook("one", written)]);
		const [before, around, after, ...on] = METHODS_OF[family];
		const result = { value: family };
		await chain.run(family, FACTS[family], async () => {
			written.push("the work");
			return result as never;
		});
		const inside = family === "learn" ? ["the work", `one ${on[0]}`] : [...on.map((method) => `one ${method}`), "the work"];
		expect(written).toEqual([`one ${before}`, `one ${around}`, ...inside, `one ${around} ends`, `one ${after}`]);
	});

	it("waits for each hook that is async before it calls the next", async () => {
		const written: string[] = [];
		const slow = (name: string): Hook => ({
			namespace: name,
			beforeRun: async () => {
				await new Promise(setImmediate);
				written.push(name);
			},
		});
		await chainOf([slow("one"), slow("two")]).run("run", { message: "hi" }, async () => {
			written.push("run");
			return new RobotResult({
				id: "1",
				robotName: "bob",
				output: [],
				toolCalls: [],
				stopReason: "stop",
				createdAt: new Date(),
				inputTokens: undefined,
				outputTokens: undefined,
				durationMs: 1,
				delegatedBy: undefined,
			});
		});
		expect(written).toEqual(["one", "two", "run"]);
	});

	it("calls methods on their hook", async () => {
		class Counting {
			readonly namespace = "counting";
			#count = 0;
			beforeToolCall(): void {
				this.#count += 1;
			}
			get count(): number {
				return this.#count;
			}
		}
		const hook = new Counting();
		await chainOf([hook]).run("toolCall", CALL, async () => outcome(""));
		expect(hook.count).toBe(1);
	});
});

describe("HookChain", () => {
	it("is not there where nobody has hooks", () => {
		expect(HookChain.of({}, {})).toBeUndefined();
		expect(HookChain.of({ robot: [], run: [] }, {})).toBeUndefined();
	});

	it("has a family of which a hook has a method, and every family where a hook hears of failures", () => {
		const calls = chainOf([{ namespace: "x", afterToolCall: () => {} }]);
		expect((Object.keys(METHODS_OF) as HookFamily[]).filter((family) => calls.has(family))).toEqual(["toolCall"]);
		const shorter = chainOf([{ namespace: "x", onCompaction: () => {} }]);
		expect((Object.keys(METHODS_OF) as HookFamily[]).filter((family) => shorter.has(family))).toEqual(["compaction"]);
		const errors = chainOf([{ namespace: "x", onError: () => {} }]);
		expect((Object.keys(METHODS_OF) as HookFamily[]).every((family) => errors.has(family))).toBe(true);
	});

	it("does a family that nobody is told of as if it were not there", async () => {
		const chain = chainOf([{ namespace: "x", afterToolCall: () => {} }]);
		const facts = { text: "x", learnings: [] };
		const given: unknown[] = [];
		await chain.run("learn", facts, async (same) => {
			given.push(same);
			return [];
		});
		expect(given[0]).toBe(facts);
	});
});
