import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { callTool } from "../../src/tool/call-tool.js";
import { createTool } from "../../src/tool/create-tool.js";
import { resultText } from "../../src/tool/result-text.js";
import type { ToolOutcome } from "../../src/tool/tool-outcome.js";

const KIB = 1024;

function give(result: unknown, maxResultBytes?: number): Promise<ToolOutcome> {
	const options = maxResultBytes === undefined ? {} : { maxResultBytes };
	const tool = createTool({ name: "probe", description: "Probes.", execute: () => result, ...options });
	return callTool({ name: "probe", args: { ok: true, value: {} } }, new Map([["probe", tool]]), {});
}

describe("What a model reads of a result", () => {
	it("is at most 256 KiB, the beginning and the end, with a word for what is not there", async () => {
		const { text, isError } = await give(`<begin>${"x".repeat(1024 * KIB)}<end>`);
		expect(Buffer.byteLength(text)).toBeLessThanOrEqual(256 * KIB);
		expect(text).toMatch(/^<begin>x+\n\[… 786,5\d\d bytes cut …\]\nx+<end>$/);
		expect(isError).toBe(false);
		expect((await give("x".repeat(256 * KIB))).text).toBe("x".repeat(256 * KIB));
	});

	it("is as long as the tool says, counted in bytes", async () => {
		expect((await give("é".repeat(500), 1_000)).text).toBe("é".repeat(500));
		expect((await give("é".repeat(501), 1_000)).text).toContain("bytes cut");
		expect((await give({ list: Array.from({ length: 1_000 }, (_, n) => n) }, 256)).text).toMatch(/^\{"list":\[0,1.*bytes cut.*,999\]\}$/s);
	});

	it("never is longer, and begins and ends as the result does, without half a character", () => {
		const texts = fc.string({ unit: "grapheme", minLength: 100, maxLength: 600 });
		fc.assert(
			fc.property(texts, fc.integer({ min: 256, max: 900 }), (text, max) => {
				const shown = resultText(text, max);
				expect(Buffer.byteLength(shown)).toBeLessThanOrEqual(max);
				if (Buffer.byteLength(text) <= max) expect(shown).toBe(text);
				const [head = "", tail = head] = shown.split(/\n\[… [\d,]+ bytes cut …\]\n/);
				expect(text.startsWith(head) && text.endsWith(tail)).toBe(true);
			}),
		);
	});

	it.each([
		["a bigint", 1n, "Do not know how to serialize a BigInt"],
		["a bigint within", { n: [1n] }, "Do not know how to serialize a BigInt"],
		["a function", () => 1, "it is a function"],
		["a symbol", Symbol("secret"), "it is a symbol"],
		["a toJSON that throws", { toJSON: () => { throw new Error("no"); } }, "no"], // biome-ignore format: one line
	])("is an error that says why for what is no JSON: %s", async (_, result, reason) => {
		const { text, isError } = await give(result);
		expect(text).toMatch(/^Error \(probe\): its result cannot be written as JSON/);
		expect(text).toContain(reason);
		expect({ isError, lines: text.split("\n").length }).toEqual({ isError: true, lines: 1 });
	});

	it("is an error for what holds itself or is nested deeper than the stack", async () => {
		const circular: { self?: unknown } = {};
		circular.self = circular;
		expect((await give(circular)).text).toBe("Error (probe): its result cannot be written as JSON (Converting circular structure to JSON)");
		let deep: unknown = 1;
		for (let i = 0; i < 50_000; i++) deep = [deep];
		expect(await give(deep)).toMatchObject({ isError: true, text: expect.stringContaining("cannot be written as JSON") });
	});

	it("is nothing for undefined and for what answers JSON with nothing", async () => {
		expect(await give(undefined)).toEqual({ text: "", isError: false });
		expect(await give({ toJSON: () => undefined })).toEqual({ text: "", isError: false });
	});
});
