import { expect, it } from "vitest";
import { Memory } from "../../src/memory/memory.js";
import { collectGarbage } from "./collect-garbage.js";

const KEYS = 20_000;
const MEBIBYTE = 1024 * 1024;

async function heapMebibytes(): Promise<number> {
	await collectGarbage();
	return process.memoryUsage().heapUsed / MEBIBYTE;
}

it("Twenty thousand keys that were listened to, waited for in vain and deleted leave nothing behind", async () => {
	const memory = new Memory();
	const use = async (round: number): Promise<void> => {
		for (let index = 0; index < KEYS; index += 1) {
			const key = `key ${round} ${index}`;
			const subscription = memory.subscribe(key, () => {});
			memory.set(key, { index });
			subscription.unsubscribe();
			memory.delete(key);
		}
		const controller = new AbortController();
		const { signal } = controller;
		const waits = Array.from({ length: KEYS }, (_, index) => memory.waitFor(`key ${round} ${index}`, { signal }));
		controller.abort();
		expect((await Promise.allSettled(waits)).every(({ status }) => status === "rejected")).toBe(true);
	};
	await use(0);
	const before = await heapMebibytes();
	await use(1);
	expect((await heapMebibytes()) - before).toBeLessThan(2);
});
