import { describe, expect, it, vi } from "vitest";
import type { Hook } from "../../src/hook/hook.js";
import { HookChain } from "../../src/hook/hook-chain.js";
import { globalHooks, registerHook } from "../../src/hook/register-hook.js";
import { CALL, outcome } from "./chain.js";

const call = (chain = HookChain.of({}, {})): Promise<unknown> | undefined => chain?.run("toolCall", CALL, async () => outcome(""));

const writing = (written: unknown[], namespace: string): Hook => ({
	namespace,
	beforeToolCall: ({ local }) => written.push([namespace, { ...local }]),
});

describe("registerHook", () => {
	it("calls a hook in every chain that begins while its subscription lasts", async () => {
		const written: unknown[] = [];
		const one = registerHook(writing(written, "one"));
		using _ = registerHook(writing(written, "two"));
		await call();
		one.unsubscribe();
		one.unsubscribe();
		await call();
		expect(written).toEqual([
			["one", {}],
			["two", {}],
			["two", {}],
		]);
	});

	it("is not heard of in a run that goes on, but its end is, at once", async () => {
		const written: unknown[] = [];
		const one = registerHook(writing(written, "one"));
		using _ = registerHook(writing(written, "two"));
		const chain = HookChain.of({}, {});
		using __ = registerHook(writing(written, "later"));
		one.unsubscribe();
		await call(chain);
		expect(written).toEqual([["two", {}]]);
	});

	it("takes one of two registrations of a hook away, and leaves the other", async () => {
		const written: unknown[] = [];
		const hook = writing(written, "twice");
		using _ = registerHook(hook, { context: { which: 1 } });
		const second = registerHook(hook, { context: { which: 2 } });
		await call();
		second.unsubscribe();
		await call();
		expect(written).toEqual([
			["twice", { which: 1 }],
			["twice", { which: 2 }],
			["twice", { which: 1 }],
		]);
	});

	it("begins each run with a copy of the context", async () => {
		const seen: unknown[] = [];
		const context: Record<string, unknown> = JSON.parse('{ "limit": 1, "__proto__": { "polluted": true } }');
		const hook: Hook = {
			namespace: "x",
			beforeToolCall: ({ local }) => {
				seen.push(local.limit, local.polluted);
				local.limit = 99;
			},
		};
		using _ = registerHook(hook, { context });
		context.limit = 2;
		await call();
		await call();
		expect(seen).toEqual([1, undefined, 1, undefined]);
		expect(context.limit).toBe(2);
	});

	it("shares its hooks with another copy of the package", async () => {
		vi.resetModules();
		const other = await import("../../src/hook/register-hook.js");
		const chains = await import("../../src/hook/hook-chain.js");
		const { Hook: OtherHook } = await import("../../src/hook/hook.js");
		expect(other.registerHook).not.toBe(registerHook);
		const written: unknown[] = [];
		class Foreign extends OtherHook {
			override beforeToolCall(): void {
				written.push(this.namespace);
			}
		}
		using _ = other.registerHook(new Foreign());
		using __ = registerHook(new Foreign());
		await call();
		await call(chains.HookChain.of({}, {}));
		expect(written).toEqual(["foreign", "foreign", "foreign", "foreign"]);
	});

	it.each<[string, () => unknown, string]>([
		["what is no hook", () => registerHook(5 as never), "registerHook(): the hook must be a hook, got 5."],
		["an option nobody knows", () => registerHook(writing([], "x"), { contxt: {} } as never), 'registerHook() knows no option "contxt".'],
		[
			"a context that is none",
			() => registerHook(writing([], "x"), { context: [] as never }),
			"registerHook(): context must be an object, got a list.",
		],
		["no options", () => registerHook(writing([], "x"), null as never), "registerHook() takes options, got null."],
	])("refuses %s, and registers nothing", (_what, register, message) => {
		expect(register).toThrow(message);
		expect(globalHooks()).toEqual([]);
	});
});
