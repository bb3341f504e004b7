import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ConfigurationError } from "../../src/errors/configuration-error.js";
import type { GuardedCall } from "../../src/guard/call-fingerprint.js";
import { DoomLoopGuard, type DoomLoopVerdict, findDoomLoop } from "../../src/guard/doom-loop.js";

/** `"a1"` is a call of a tool `a` with the argument 1. */
const call = (text: string): GuardedCall => ({ name: text.slice(0, 1), args: { ok: true, value: { n: text.slice(1) } } });
/** What a guard says of replies, each its calls. */
const verdicts = (replies: readonly string[], threshold?: number): DoomLoopVerdict[] => {
	const guard = new DoomLoopGuard(threshold);
	return replies.map((reply) => guard.note(reply.split(" ").filter(Boolean).map(call)));
};
const kinds = (replies: readonly string[], threshold?: number): string[] =>
	verdicts(replies, threshold).map((verdict) => (verdict === "ok" ? "ok" : Object.keys(verdict).join()));

describe("findDoomLoop()", () => {
	it.each([
		["aaa", { period: 1, repetitions: 3 }],
		["xyaaa", { period: 1, repetitions: 3 }],
		["ababab", { period: 2, repetitions: 3 }],
		["xabcabcabc", { period: 3, repetitions: 3 }],
		["abcdefghij".repeat(3), { period: 10, repetitions: 3 }],
		["aabaabaab", { period: 3, repetitions: 3 }],
		["", undefined],
		["aa", undefined],
		["aaab", undefined],
		["babab", undefined],
		["ababa", undefined],
		["abcdefghijk".repeat(3), undefined],
	])("finds in %s %o", (text, loop) => {
		expect(findDoomLoop([...text])).toEqual(loop);
	});

	it("takes another threshold and another longest pattern", () => {
		expect(findDoomLoop([..."aa"], { threshold: 2 })).toEqual({ period: 1, repetitions: 2 });
		expect(findDoomLoop([..."aaa"], { threshold: 4 })).toBeUndefined();
		expect(findDoomLoop([..."ababab"], { maxPeriod: 1 })).toBeUndefined();
	});

	it("finds the shortest pattern that the list ends with, and one exactly where there is one", () => {
		const list = fc.array(fc.constantFrom("a", "b"), { maxLength: 40 });
		fc.assert(
			fc.property(list, fc.integer({ min: 2, max: 4 }), fc.integer({ min: 1, max: 5 }), (calls, threshold, maxPeriod) => {
				const text = calls.join("");
				const periods = Array.from({ length: maxPeriod }, (_, index) => index + 1);
				const period = periods.find((length) => length * threshold <= text.length && text.endsWith(text.slice(-length).repeat(threshold)));
				expect(findDoomLoop(calls, { threshold, maxPeriod })?.period).toBe(period);
			}),
		);
	});
});

describe("DoomLoopGuard", () => {
	it("warns of the third same call, and says stop at three more", () => {
		expect(kinds(["a1", "a1", "a1", "a1", "a1", "a1"])).toEqual(["ok", "ok", "warning", "ok", "ok", "stop"]);
	});

	it("says stop at another loop than the one it warned of, however long after", () => {
		const between = Array.from({ length: 200 }, (_, n) => `x${n}`);
		expect(kinds(["a1", "a1", "a1", ...between, "b1 c1", "b1 c1", "b1 c1"]).filter((kind) => kind !== "ok")).toEqual(["warning", "stop"]);
	});

	it("says nothing of the same tool with other arguments", () => {
		expect(new Set(kinds(["a1", "a2", "a3", "a4", "a5", "a6"]))).toEqual(new Set(["ok"]));
	});

	it("counts equal calls of one reply once: the model had seen no result yet", () => {
		expect(kinds(["a1 a1 a1 a1 a1 a1", "a1 a1 a1", "a1"])).toEqual(["ok", "ok", "warning"]);
	});

	it("finds a loop that ends within a reply", () => {
		expect(kinds(["a1", "a1", "a1 b1"])).toEqual(["ok", "ok", "warning"]);
	});

	it("says one thing of a reply, however many loops end in it", () => {
		expect(kinds(["a1 b1", "a1 b1", "a1 b1 a1 b1"])).toEqual(["ok", "ok", "warning"]);
	});

	it("takes the threshold it is given, and looks for nothing with Infinity", () => {
		expect(kinds(["a1", "a1"], 2)).toEqual(["ok", "warning"]);
		expect(kinds(["a1", "a1", "a1", "a1"], 4)).toEqual(["ok", "ok", "ok", "warning"]);
		expect(new Set(kinds(Array(50).fill("a1"), Number.POSITIVE_INFINITY))).toEqual(new Set(["ok"]));
	});

	it.each([0, 1, -3, 2.5, Number.NaN, Number.NEGATIVE_INFINITY, "3", null, 3n])(
		"throws ConfigurationError for the threshold %o",
		(junk) => {
			expect(() => new DoomLoopGuard(junk as number)).toThrow(ConfigurationError);
			expect(() => new DoomLoopGuard(junk as number)).toThrow(/doomLoopThreshold must be a whole number, 2 or more, or Infinity/);
		},
	);

	it("tells the model which calls they were, without their arguments, and what to do", () => {
		const secret = "SECRET".repeat(1_000);
		const guard = new DoomLoopGuard(2);
		const calls = [{ name: "read_file", args: { ok: true, value: secret } }, { name: "x".repeat(9_000), args: { ok: false, raw: secret } }] as const; // biome-ignore format: one line
		guard.note(calls);
		const { warning } = guard.note(calls) as { warning: string };
		expect(warning).toMatch(/^Warning: the same 2 calls \("read_file", "x{64}…"\) came 2 times in a row with the same arguments\. /);
		expect(warning).toContain("make other calls");
		expect(warning).not.toContain("SECRET");
		guard.note(calls.slice(0, 1));
		expect(guard.note(calls.slice(0, 1))).toEqual({
			stop: 'the call of "read_file" came 2 times in a row with the same arguments, and this run had been warned of that before',
		});
	});

	it("finds the longest loop after a run of any length", () => {
		for (let before = 0; before < 100; before++) {
			const guard = new DoomLoopGuard();
			for (let n = 0; n < before; n++) expect(guard.note([call(`a${n}`)])).toBe("ok");
			for (let n = 0; n < 29; n++) expect(guard.note([call(`b${n % 10}`)])).toBe("ok");
			expect(guard.note([call("b9")])).toHaveProperty("warning", expect.stringMatching(/the same 10 calls \(("b", ){9}"b"\)/));
		}
	});
});
