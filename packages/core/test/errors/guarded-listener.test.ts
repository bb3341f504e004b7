import { describe, expect, it } from "vitest";
import { guardedListener } from "../../src/errors/guarded-listener.js";

describe("guardedListener()", () => {
	const broken = new Error("listener");
	// biome-ignore lint/suspicious/noThenProperty: thenables are what it is about
	const withThen = (property: PropertyDescriptor): object => Object.defineProperty({}, "then", property);

	it.each<[string, () => unknown]>([
		["throws", () => { throw broken; }], // biome-ignore format: one line
		["rejects", async () => Promise.reject(broken)],
		["answers with a thenable of its own", () => withThen({ value: (_: unknown, fail: (error: unknown) => void) => fail(broken) })],
		["answers with an object whose then throws", () => withThen({ get: () => { throw broken; } })], // biome-ignore format: one line
	])("hands what a listener that %s fails with to onFailure, and to nobody else", async (_, listener) => {
		const failures: unknown[] = [];
		guardedListener(listener, (error) => failures.push(error))();
		guardedListener(listener)();
		await new Promise((resolve) => setTimeout(resolve, 5));
		expect(failures).toEqual([broken]);
	});

	it("hands over every argument and gives no answer", () => {
		const told: unknown[] = [];
		expect(guardedListener((...args: readonly [number, string]) => told.push(...args))(1, "a")).toBeUndefined();
		expect(told).toEqual([1, "a"]);
	});
});
