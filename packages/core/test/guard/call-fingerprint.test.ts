import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { callFingerprint } from "../../src/guard/call-fingerprint.js";
import { parseToolInput } from "../../src/tool/parse-tool-input.js";

const of = (input: string, name = "probe"): string => callFingerprint({ name, args: parseToolInput(input) });

describe("callFingerprint()", () => {
	it("is the same whatever the order of keys and the space between them", () => {
		expect(of('{"a":1,"b":{"c":[{"d":1,"e":2}]}}')).toBe(of('{ "b": {"c": [{"e":2,"d":1}]}, "a": 1 }'));
	});

	it.each([
		['{"a":1}', '{"a":2}'],
		['{"a":1}', '{"a":"1"}'],
		['{"a":null}', "{}"],
		['{"a":[1,2]}', '{"a":[2,1]}'],
		['{"a":[1,12]}', '{"a":[11,2]}'],
		['{"a":[1]}', '{"a":{"0":1}}'],
		['{"a":"x,\\"b\\":1"}', '{"a":"x","b":1}'],
		['{"toJSON":1}', '{"toJSON":2}'],
		['{"constructor":1}', "{}"],
		['{"a":', '{"a"'],
		['{"a":', '"{\\"a\\":"'],
	])("tells %s from %s", (one, other) => {
		expect(of(one)).not.toBe(of(other));
	});

	it("tells the same arguments of two tools apart, and text that is no JSON is itself", () => {
		expect(of("{}", "a")).not.toBe(of("{}", "b"));
		expect(of("{broken")).toBe(of("{broken"));
	});

	it("is short for arguments of a megabyte, and another one when their last character is another", () => {
		const [one, other] = ["x", "y"].map((last) => of(JSON.stringify({ text: "x".repeat(1_000_000) + last })));
		expect(one?.length).toBeLessThan(100);
		expect(one).not.toBe(other);
		expect(of(`{${"x".repeat(1_000_000)}`).length).toBeLessThan(100);
	});

	it("does not run out of stack", () => {
		const deep = (depth: number): string => of(`${"[".repeat(depth)}1${"]".repeat(depth)}`);
		expect(deep(100_000)).toBe(deep(200_000));
		expect(deep(50)).not.toBe(deep(51));
	});

	it("is the same for exactly those arguments that are", () => {
		const shuffled = (value: unknown): unknown => {
			if (Array.isArray(value)) return value.map(shuffled);
			if (typeof value !== "object" || value === null) return value;
			return Object.fromEntries(Object.entries(value).reverse().map(([key, entry]) => [key, shuffled(entry)])); // biome-ignore format: one line
		};
		const print = (value: unknown): string => callFingerprint({ name: "probe", args: { ok: true, value } });
		const json = fc.jsonValue({ maxDepth: 4 }).map((value) => JSON.parse(JSON.stringify(value)) as unknown);
		fc.assert(
			fc.property(json, json, (one, other) => {
				expect(print(shuffled(one))).toBe(print(one));
				expect(print(one) === print(other)).toBe(equal(one, other));
			}),
		);
	});
});

function equal(one: unknown, other: unknown): boolean {
	if (typeof one !== "object" || one === null || typeof other !== "object" || other === null) return one === other;
	if (Array.isArray(one) !== Array.isArray(other)) return false;
	const [left, right] = [Object.entries(one), Object.entries(other)];
	return left.length === right.length && left.every(([key, value]) => Object.hasOwn(other, key) && equal(value, (other as never)[key]));
}
