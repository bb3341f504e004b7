import { getEventListeners } from "node:events";
import { describe, expect, it } from "vitest";
import { runBounded } from "../../src/process/index.js";
import { onAbort } from "../../src/process/on-abort.js";

describe("onAbort()", () => {
	it("tells everybody once, by one listener of the signal, and not who stopped listening", () => {
		const stop = new AbortController();
		const told: number[] = [];
		const ends = Array.from({ length: 30 }, (_, index) => onAbort(stop.signal, () => told.push(index)));
		expect(getEventListeners(stop.signal, "abort")).toHaveLength(1);
		for (const end of ends.slice(3)) end();
		stop.abort();
		expect(told).toEqual([0, 1, 2]);
		for (const end of ends) end();
	});

	it("leaves nothing on the signal when nobody listens any more, and can begin again", () => {
		const stop = new AbortController();
		let told = 0;
		const listener = (): number => ++told;
		const ends = [onAbort(stop.signal, listener), onAbort(stop.signal, listener)];
		for (const end of [...ends, ...ends]) end();
		expect(getEventListeners(stop.signal, "abort")).toEqual([]);
		onAbort(stop.signal, listener);
		for (const end of ends) end();
		stop.abort();
		expect(told).toBe(1);
	});

	it("lets a listener stop another while they are told", () => {
		const stop = new AbortController();
		const told: string[] = [];
		onAbort(stop.signal, () => {
			told.push("first");
			endOfSecond();
		});
		const endOfSecond = onAbort(stop.signal, () => told.push("second"));
		stop.abort();
		expect(told).toEqual(["first"]);
	});
});

it("runBounded() ends twenty runs with one signal, which has one listener meanwhile and none afterwards", async () => {
	const stop = new AbortController();
	let most = 0;
	let started = 0;
	const runs = Array.from({ length: 20 }, () =>
		runBounded(["sleep", "60"], {
			signal: stop.signal,
			onSpawn: () => {
				most = Math.max(most, getEventListeners(stop.signal, "abort").length);
				if (++started === 20) setImmediate(() => stop.abort());
			},
		}),
	);
	expect((await Promise.all(runs)).every(({ aborted }) => aborted)).toBe(true);
	expect(most).toBe(1);
	expect(getEventListeners(stop.signal, "abort")).toEqual([]);
});
