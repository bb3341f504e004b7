import { describe, expect, it } from "vitest";
import { ConfigurationError } from "../../src/errors/configuration-error.js";
import { SequenceCounter } from "../../src/stream/sequence-counter.js";

describe("SequenceCounter", () => {
	it("begins with 1 and leaves out none", () => {
		const counter = new SequenceCounter();
		expect([counter.current, counter.next(), counter.next(), counter.next(), counter.current]).toEqual([0, 1, 2, 3, 3]);
	});

	it("current tells and takes nothing", () => {
		const counter = new SequenceCounter();
		counter.next();
		expect([counter.current, counter.current, counter.next()]).toEqual([1, 1, 2]);
	});

	it("goes on behind where it started, and behind what it was reset to", () => {
		const counter = new SequenceCounter(41);
		expect([counter.current, counter.next()]).toEqual([41, 42]);
		counter.reset(99);
		expect([counter.current, counter.next()]).toEqual([99, 100]);
		counter.reset();
		expect([counter.current, counter.next()]).toEqual([0, 1]);
	});

	it.each([Number.NaN, -1, 1.5, Number.POSITIVE_INFINITY, 2 ** 53, "1" as never, null as never])("goes on from no %s", (value) => {
		const counter = new SequenceCounter(5);
		expect(() => new SequenceCounter(value)).toThrow(ConfigurationError);
		expect(() => counter.reset(value)).toThrow(/whole number of 0 or more, got/);
		expect(counter.next()).toBe(6);
	});
});
