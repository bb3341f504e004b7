import { getEventListeners } from "node:events";
import { describe, expect, it } from "vitest";
import type { Hook } from "../../src/hook/hook.js";
import { CALL, chainOf, outcome, rejection } from "./chain.js";

const never = (): Promise<never> => new Promise(() => {});
const aborted = outcome("aborted");

// together: most of them wait for the second that a hook has
describe("Hooks of a run that is aborted", () => {
	it.concurrent.each<[string, Partial<Hook>, unknown[]]>([
		["before", { beforeToolCall: never }, ["made", "after"]],
		["around, that did not begin what is further in", { aroundToolCall: never }, ["made", "after"]],
		[
			"around, that began what is further in",
			{
				aroundToolCall: async (_context, next) => {
					await next();
					return never();
				},
			},
			["made", "after"],
		],
		["after", { afterToolCall: never }, ["made", "after"]],
		["onError", { beforeToolCall: () => Promise.reject(new Error("broken")), onError: never }, ["Error: broken"]],
	])("are left behind where they never end, and the rest goes on: %s", async (_what, hook, expected) => {
		const stop = new AbortController();
		const written: unknown[] = [];
		const outer: Hook = {
			namespace: "outer",
			afterToolCall: () => written.push("after"),
		};
		const last: Hook = { namespace: "last", onError: ({ error }) => written.push(String(error)) };
		const chain = chainOf([outer, { namespace: "hanging", ...hook }, last], { signal: stop.signal });
		const work = chain.run("toolCall", CALL, async () => {
			written.push("made");
			return aborted;
		});
		setImmediate(() => stop.abort());
		if (expected.includes("after")) expect(await work).toBe(aborted);
		else await rejection(work);
		expect(written).toEqual(expected);
		expect(getEventListeners(stop.signal, "abort")).toHaveLength(0);
	});

	it.concurrent("are waited for where they end soon, and what they fail with counts", async () => {
		const written: string[] = [];
		const slow: Hook = {
			namespace: "slow",
			beforeToolCall: async () => {
				await new Promise(setImmediate);
				written.push("before");
			},
			afterToolCall: async () => {
				await new Promise(setImmediate);
				written.push("after");
				throw new Error("broken");
			},
		};
		const work = chainOf([slow], { signal: AbortSignal.abort() }).run("toolCall", CALL, async () => aborted);
		expect(await rejection(work)).toEqual(new Error("broken"));
		expect(written).toEqual(["before", "after"]);
	});

	it.concurrent("have their time after what they stand around has ended, however long that took to heed the abort", async () => {
		const stop = new AbortController();
		const written: string[] = [];
		const timing: Hook = {
			namespace: "timing",
			aroundToolCall: async (_context, next) => {
				const result = await next();
				await new Promise(setImmediate);
				written.push("told");
				return result;
			},
		};
		const chain = chainOf([timing], { signal: stop.signal });
		stop.abort();
		// longer than a hook that does nothing is waited for
		const work = chain.run("toolCall", CALL, () => new Promise((resolve) => setTimeout(resolve, 1_100, aborted)));
		expect(await work).toBe(aborted);
		expect(written).toEqual(["told"]);
	});

	it.concurrent("leave no listener at a signal that was not aborted, and are not hurried by it", async () => {
		const { signal } = new AbortController();
		const waiting: Hook = { namespace: "waiting", beforeToolCall: () => new Promise((resolve) => setImmediate(resolve)) };
		expect(await chainOf([waiting], { signal }).run("toolCall", CALL, async () => aborted)).toBe(aborted);
		expect(getEventListeners(signal, "abort")).toHaveLength(0);
	});

	it.concurrent("cannot begin again what went on without them", async () => {
		const stop = new AbortController();
		const late = Promise.withResolvers<void>();
		const tried = Promise.withResolvers<unknown>();
		let made = 0;
		const hanging: Hook = {
			namespace: "hanging",
			aroundToolCall: async (_context, next) => {
				await late.promise;
				try {
					return await next();
				} catch (error) {
					tried.resolve(error);
					throw error;
				}
			},
		};
		stop.abort();
		await chainOf([hanging], { signal: stop.signal }).run("toolCall", CALL, async () => {
			made += 1;
			late.resolve();
			await new Promise(setImmediate);
			return outcome("made");
		});
		expect(await tried.promise).toMatchObject({ code: "configuration" });
		expect(made).toBe(1);
	});
});
