import { expect, it } from "vitest";
import { inLanes } from "../../src/doctor/in-lanes.js";

/** Work that ends when it is told to. */
function handWork() {
	const begun: string[] = [];
	const endings = new Map<number, { resolve: (result: string) => void; reject: (error: Error) => void }>();
	const work = (thing: number, lane: string): Promise<string> => {
		begun.push(`${thing} in ${lane}`);
		return new Promise((resolve, reject) => endings.set(thing, { resolve, reject }));
	};
	const settle = async (act: () => void): Promise<void> => {
		act();
		await new Promise((resolve) => setImmediate(resolve));
	};
	return {
		begun,
		work,
		end: (thing: number) => settle(() => endings.get(thing)?.resolve(`${thing} done`)),
		fail: (thing: number) => settle(() => endings.get(thing)?.reject(new Error(`${thing} failed`))),
	};
}

it("has one thing under way in each lane, and tells and answers in the order of the things", async () => {
	const { begun, work, end } = handWork();
	const told: string[] = [];
	const running = inLanes(["a", "b"], [1, 2, 3], { work, tell: (result) => told.push(result) });
	expect(begun).toEqual(["1 in a", "2 in b"]);
	await end(2);
	expect(begun).toEqual(["1 in a", "2 in b", "3 in b"]);
	expect(told).toEqual([]);
	await end(1);
	expect(told).toEqual(["1 done", "2 done"]);
	await end(3);
	expect(await running).toEqual(["1 done", "2 done", "3 done"]);
	expect(told).toEqual(["1 done", "2 done", "3 done"]);
});

it("rejects with the first failure once nothing is under way any more, and begins nothing after it", async () => {
	const { begun, work, end, fail } = handWork();
	let outcome = "under way";
	const running = inLanes(["a", "b"], [1, 2, 3, 4], { work, tell: () => {} }).catch((error: Error) => {
		outcome = error.message;
	});
	await fail(1);
	expect(outcome).toBe("under way");
	await end(2);
	await running;
	expect(outcome).toBe("1 failed");
	expect(begun).toEqual(["1 in a", "2 in b"]);
});
