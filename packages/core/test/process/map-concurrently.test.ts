import { describe, expect, it, onTestFinished, vi } from "vitest";
import { mapConcurrently } from "../../src/process/map-concurrently.js";

/** A clock that goes on by this much each time that somebody looks at it. */
function clockThatJumps(ms: number): void {
	let now = 0;
	vi.spyOn(performance, "now").mockImplementation(() => (now += ms));
	onTestFinished(() => void vi.restoreAllMocks());
}

/** How often others had their turn meanwhile. */
async function turnsOfOthers(work: () => Promise<unknown>): Promise<number> {
	let turns = 0;
	let next = setImmediate(function turn() {
		turns += 1;
		next = setImmediate(turn);
	});
	await work();
	clearImmediate(next);
	return turns;
}

const ITEMS = Array.from({ length: 100 }, (_, index) => index);

describe("mapConcurrently()", () => {
	it.each([1, 32])("gives way to others when calls that wait for nothing have taken their time, %d at once", async (limit) => {
		clockThatJumps(3);
		expect(await turnsOfOthers(() => mapConcurrently(ITEMS, limit, (item) => item))).toBeGreaterThanOrEqual(20);
	});

	it("keeps its turn as long as no time has passed", async () => {
		clockThatJumps(0);
		expect(await turnsOfOthers(() => mapConcurrently(ITEMS, 32, (item) => item))).toBe(0);
	});

	it("has results in the items' order, at most so many calls under way, and the first rejection for its own", async () => {
		let [under, most] = [0, 0];
		const results = await mapConcurrently(ITEMS, 7, async (item) => {
			most = Math.max(most, ++under);
			await new Promise((resolve) => setImmediate(resolve));
			under -= 1;
			return item * 2;
		});
		expect([results, most]).toEqual([ITEMS.map((item) => item * 2), 7]);
		const failing = mapConcurrently(ITEMS, 3, (item) => (item === 5 ? Promise.reject(new Error("five")) : item));
		await expect(failing).rejects.toThrow("five");
	});
});
