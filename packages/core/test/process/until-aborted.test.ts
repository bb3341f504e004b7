import { getEventListeners } from "node:events";
import { describe, expect, it } from "vitest";
import { untilAborted } from "../../src/process/until-aborted.js";

const never = (): Promise<never> => new Promise(() => {});

describe("untilAborted()", () => {
	it("gives what was promised, or what that fails with, and leaves no listener behind", async () => {
		const { signal } = new AbortController();
		expect(await untilAborted(Promise.resolve(1), signal)).toBe(1);
		expect(await untilAborted(2, undefined)).toBe(2);
		await expect(untilAborted(Promise.reject(new Error("no")), signal)).rejects.toThrow("no");
		expect(getEventListeners(signal, "abort")).toEqual([]);
	});

	it("rejects with the reason of a signal that is aborted meanwhile, or was before", async () => {
		const controller = new AbortController();
		const waiting = untilAborted(never(), controller.signal);
		controller.abort("enough");
		await expect(waiting).rejects.toBe("enough");
		await expect(untilAborted(never(), controller.signal)).rejects.toBe("enough");
	});

	it("drops what the promise fails with behind an abort", async () => {
		await expect(untilAborted(Promise.reject(new Error("too late")), AbortSignal.abort("enough"))).rejects.toBe("enough");
		// an unhandled rejection would fail this run
		await new Promise((resolve) => setImmediate(resolve));
	});
});
