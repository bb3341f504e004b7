import { describe, expect, it } from "vitest";
import { AttemptsByKey } from "../../src/network/attempts-by-key.js";
import { deferred } from "../../src/process/deferred.js";

const made = () => {
	const attempts = new AttemptsByKey<string>();
	const begun: string[] = [];
	const ask = (key: string, answer: string | Promise<string> = key) =>
		attempts.once(key, undefined, async () => {
			begun.push(key);
			return answer;
		});
	const askMany = async (prefix: string, count: number) => {
		for (let one = 0; one < count; one++) await ask(`${prefix}${one}`);
	};
	return { ask, askMany, begun };
};

describe("An attempt", () => {
	it("is run once as long as a hundred others have not ended after it, and after some hundreds once more", async () => {
		const { ask, askMany, begun } = made();
		await askMany("before", 57);
		await ask("a", "first");
		await askMany("other", 99);
		expect(await ask("a", "second")).toBe("first");
		await askMany("more", 300);
		expect(await ask("a", "third")).toBe("third");
		expect(begun.filter((key) => key === "a")).toHaveLength(2);
	});

	it("that runs is joined, however many have ended meanwhile, and is among the last from its end on", async () => {
		const { ask, askMany, begun } = made();
		const { promise, resolve } = deferred<string>();
		const slow = ask("slow", promise);
		await askMany("other", 1_100);
		const joined = ask("slow");
		resolve("done");
		expect(await Promise.all([slow, joined])).toEqual(["done", "done"]);
		await askMany("more", 99);
		expect(await ask("slow")).toBe("done");
		expect(begun.filter((key) => key === "slow")).toHaveLength(1);
	});

	it("that fails at once is remembered as one that failed", async () => {
		const attempts = new AttemptsByKey<string>();
		const fail = (): Promise<string> => {
			throw new Error("at once");
		};
		await expect(attempts.once("a", undefined, fail)).rejects.toThrow("at once");
		await expect(attempts.once("a", undefined, async () => "again")).rejects.toThrow("at once");
	});
});
