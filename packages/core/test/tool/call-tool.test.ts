import { describe, expect, it } from "vitest";
import * as z from "zod";
import { callTool } from "../../src/tool/call-tool.js";
import { createTool } from "../../src/tool/create-tool.js";
import { parseToolInput } from "../../src/tool/parse-tool-input.js";
import type { ToolContext } from "../../src/tool/tool.js";
import type { ToolOutcome } from "../../src/tool/tool-outcome.js";

function call(
	execute: (input: { a?: unknown }, context: ToolContext) => unknown,
	input = "{}",
	context: ToolContext = {},
): Promise<ToolOutcome> {
	const tool = createTool({ name: "probe", description: "Probes.", parameters: z.object({ a: z.unknown().optional() }), execute });
	return callTool({ name: "probe", args: parseToolInput(input) }, new Map([["probe", tool]]), context);
}

describe("callTool()", () => {
	it.each([
		["text", "text"],
		["", ""],
		[{ n: 1, list: ["é"] }, '{"n":1,"list":["é"]}'],
		[0, "0"],
		[null, "null"],
		[undefined, ""],
	])("gives the result %j as the text %j", async (result, text) => {
		expect(await call(() => result)).toEqual({ text, isError: false });
	});

	it("makes text of a throw: the message, no stack, no cause, no other field", async () => {
		const error = Object.assign(new Error("disk is full", { cause: new Error("SECRET cause") }), { apiKey: "SECRET key" });
		const outcome = await call(() => {
			throw error;
		});
		expect(outcome).toEqual({ text: "Error (probe): disk is full", isError: true });
	});

	it.each([
		["a string", "a string"],
		[undefined, "it failed without saying why"],
		[{ token: "SECRET" }, "it failed without saying why"],
		[new Error(""), "it failed without saying why"],
	])("makes text of the thrown value %j", async (thrown, text) => {
		expect(await call(() => Promise.reject(thrown))).toEqual({ text: `Error (probe): ${text}`, isError: true });
	});

	it("bounds a long message and says how much was cut", async () => {
		const { text } = await call(() => Promise.reject(new Error("x".repeat(5_000))));
		expect(text.length).toBeLessThan(2_100);
		expect(text).toMatch(/… \(3000 characters cut\)$/);
	});

	it("makes text of a result that is no JSON", async () => {
		const circular: { self?: unknown } = {};
		circular.self = circular;
		expect(await call(() => circular)).toMatchObject({ isError: true, text: expect.stringContaining("circular") });
		expect(await call(() => 1n)).toMatchObject({ isError: true });
	});

	it("names the tools there are when the name is unknown", async () => {
		const tool = createTool({ name: "probe", description: "Probes.", execute: () => 1 });
		const args = parseToolInput("{}");
		const outcome = await callTool({ name: "prob", args }, new Map([["probe", tool]]), {});
		expect(outcome).toEqual({ text: 'Error (unknown tool): there is no tool "prob". Available: probe', isError: true });
		expect((await callTool({ name: "x", args }, new Map(), {})).text).toContain("No tools are available");
		const many = new Map(Array.from({ length: 60 }, (_, i) => [`tool_${i}`, tool] as const));
		expect((await callTool({ name: "x".repeat(5_000), args }, many, {})).text).toMatch(/^.{0,900} and 10 more$/);
	});

	it.each(["{", '{"a":', "nul", "{'a':1}"])("makes text of arguments that are no JSON: %s", async (input) => {
		let ran = false;
		const outcome = await call(() => { ran = true; }, input); // biome-ignore format: one line
		expect(outcome).toMatchObject({ isError: true, text: expect.stringMatching(/^Error \(invalid arguments\): not valid JSON/) });
		expect(ran).toBe(false);
	});

	it.each(["", "  ", "{}"])("takes %j as no arguments", async (input) => {
		expect(await call((given) => given, input)).toEqual({ text: "{}", isError: false });
	});

	it("does not run on arguments the schema refuses", async () => {
		let ran = false;
		const strict = createTool({ name: "strict", description: "x", parameters: z.object({ n: z.number() }), execute: () => { ran = true; } }); // biome-ignore format: one line
		const outcome = await callTool({ name: "strict", args: parseToolInput('{"n":"1"}') }, new Map([["strict", strict]]), {});
		expect(outcome.text).toMatch(/^Error \(invalid arguments\): n: /);
		expect(ran).toBe(false);
	});

	it.each(['{"a":{"__proto__":{"polluted":true}}}', '{"a":{"\\u005f_proto__":{"polluted":true}}}'])(
		"drops a __proto__ key, so that a tool which copies its arguments pollutes nothing: %s",
		async (input) => {
			const outcome = await call(({ a }) => {
				const target = {};
				for (const [key, value] of Object.entries(a as object)) Object.assign((target as Record<string, object>)[key] ?? {}, value);
				return String(({} as { polluted?: boolean }).polluted);
			}, input);
			expect(outcome.text).toBe("undefined");
		},
	);

	it("(control) shows that such a key does pollute when it is kept", () => {
		const parsed = JSON.parse('{"__proto__":{"polluted":true}}') as object;
		const target: Record<string, object> = {};
		try {
			for (const [key, value] of Object.entries(parsed)) Object.assign(target[key] ?? {}, value);
			expect(({} as { polluted?: boolean }).polluted).toBe(true);
		} finally {
			delete (Object.prototype as { polluted?: boolean }).polluted;
		}
	});

	it("hands the context on", async () => {
		const chunks: string[] = [];
		const { signal } = new AbortController();
		await call((_, context) => {
			context.onOutput?.("half", "stdout");
			expect(context.signal).toBe(signal);
		}, "{}", { signal, onOutput: (chunk) => chunks.push(chunk) }); // biome-ignore format: one call
		expect(chunks).toEqual(["half"]);
	});

	it("does not start when the run is aborted already", async () => {
		let ran = false;
		const outcome = await call(() => { ran = true; }, "{}", { signal: AbortSignal.abort() }); // biome-ignore format: one line
		expect(outcome).toMatchObject({ isError: true, text: expect.stringContaining("aborted") });
		expect(ran).toBe(false);
	});

	it("waits for a tool that ends itself on abort and keeps what it gives", async () => {
		const controller = new AbortController();
		const outcome = await call(
			(_, { signal }) =>
				new Promise((resolve) => {
					signal?.addEventListener("abort", () => setTimeout(() => resolve("half done"), 50));
					controller.abort();
				}),
			"{}",
			{ signal: controller.signal },
		);
		expect(outcome).toEqual({ text: "half done", isError: false });
	});

	it("leaves a tool behind that ignores the abort", async () => {
		const controller = new AbortController();
		const outcome = await call(() => new Promise(() => controller.abort()), "{}", { signal: controller.signal });
		expect(outcome).toMatchObject({ isError: true, text: expect.stringContaining("aborted while this tool ran") });
	});

	it("does not start when the run is aborted while the arguments are checked", async () => {
		const controller = new AbortController();
		let ran = false;
		const running = call(() => { ran = true; }, "{}", { signal: controller.signal }); // biome-ignore format: one line
		controller.abort();
		expect(await running).toMatchObject({ isError: true, text: expect.stringContaining("before this call was made") });
		expect(ran).toBe(false);
	});
});
