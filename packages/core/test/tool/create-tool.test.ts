import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { type } from "arktype";
import * as v from "valibot";
import { describe, expect, expectTypeOf, it } from "vitest";
import * as z from "zod";
import { ConfigurationError } from "../../src/errors/configuration-error.js";
import { createTool } from "../../src/tool/create-tool.js";
import type { Tool, ToolArguments } from "../../src/tool/tool.js";

const base = { name: "add", description: "Adds.", execute: () => "done" };

function errorOf(make: () => unknown): ConfigurationError {
	try {
		make();
	} catch (error) {
		if (ConfigurationError.isInstance(error)) return error;
		throw error;
	}
	throw new Error("nothing was thrown");
}

describe("a tool's parameters", () => {
	it.each([
		["zod", z.object({ city: z.string() })],
		["plain JSON Schema", { type: "object" as const, properties: { city: { type: "string" as const } } }],
	])("stay what they were made of, to the bottom, and so does what is checked: %s", async (_, parameters) => {
		const tool = createTool({ ...base, parameters: parameters as z.ZodObject });
		const city = tool.parameters.properties?.city as { type: string };
		expect(() => {
			city.type = "number";
		}).toThrow(TypeError);
		if (!("~standard" in parameters)) (parameters.properties.city as { type: string }).type = "number";
		expect([city.type, (await tool.validate({ city: "Bern" })).ok]).toEqual(["string", true]);
	});
});

describe("createTool() with a Standard Schema", () => {
	it("describes zod parameters as JSON Schema and infers what execute gets", async () => {
		const tool = createTool({
			...base,
			parameters: z.object({ a: z.number().describe("first"), times: z.number().int().default(2), word: z.enum(["x", "y"]).optional() }),
			execute: (input) => {
				expectTypeOf(input).toEqualTypeOf<{ a: number; times: number; word?: "x" | "y" | undefined }>();
				return input.a * input.times;
			},
		});
		expect(tool.parameters).toMatchObject({
			type: "object",
			properties: { a: { type: "number", description: "first" }, word: { enum: ["x", "y"] } },
			required: ["a"],
		});
		expect(tool.parameters).not.toHaveProperty("$schema");
		expect(await tool.validate({ a: 3 })).toEqual({ ok: true, value: { a: 3, times: 2 } });
		expect(await tool.execute({ a: 3, times: 2 }, {})).toBe(6);
	});

	it("names every argument that is wrong", async () => {
		const tool = createTool({ ...base, parameters: z.object({ a: z.number(), deep: z.object({ b: z.string() }) }) });
		const checked = (await tool.validate({ a: "1", deep: { b: 2 } })) as Extract<ToolArguments, { ok: false }>;
		expect(checked.ok).toBe(false);
		expect(checked.message).toMatch(/a: .*number.*; deep\.b: .*string/);
	});

	it("takes arktype, whose schemas are functions", async () => {
		const tool = createTool({ ...base, parameters: type({ path: "string", "depth?": "number" }) });
		expect(tool.parameters).toMatchObject({ type: "object", required: ["path"] });
		expect(await tool.validate({ path: "x" })).toEqual({ ok: true, value: { path: "x" } });
		expect(await tool.validate({})).toMatchObject({ ok: false, message: expect.stringContaining("path") });
	});

	it("takes valibot through toStandardJsonSchema and tells so when it is missing", async () => {
		const schema = v.object({ path: v.string() });
		const tool = createTool({ ...base, parameters: toStandardJsonSchema(schema) });
		expect(tool.parameters).toMatchObject({ type: "object", properties: { path: { type: "string" } } });
		expect(await tool.validate({ path: 1 })).toMatchObject({ ok: false });
		expect(errorOf(() => createTool({ ...base, parameters: schema })).message).toMatch(/"add".*valibot.*toStandardJsonSchema/s);
	});

	it("awaits a schema that checks asynchronously", async () => {
		const tool = createTool({ ...base, parameters: z.object({ a: z.string().refine(async (value) => value === "yes", "not yes") }) });
		expect(await tool.validate({ a: "yes" })).toEqual({ ok: true, value: { a: "yes" } });
		expect(await tool.validate({ a: "no" })).toEqual({ ok: false, message: "a: not yes" });
	});

	it("makes a refusal of a schema whose check throws", async () => {
		const broken = z.object({ a: z.string().transform(() => { throw new Error("boom"); }) }); // biome-ignore format: one line
		expect(await createTool({ ...base, parameters: broken }).validate({ a: "x" })).toEqual({ ok: false, message: "boom" });
	});

	it("refuses a schema that has no JSON Schema or describes no object", () => {
		expect(errorOf(() => createTool({ ...base, parameters: z.object({ at: z.date() }) })).message).toMatch(/"add".*zod.*Date/s);
		expect(errorOf(() => createTool({ ...base, parameters: z.string() })).message).toMatch(/must describe an object, got "string"/);
	});
});

describe("createTool() with JSON Schema", () => {
	const tool = (parameters: object): Tool => createTool({ ...base, parameters });

	it("checks arguments and names the one that is wrong", async () => {
		const made = tool({ type: "object", properties: { n: { type: "integer", minimum: 1 }, who: { type: "string" } }, required: ["who"] });
		expect(await made.validate({ who: "me", n: 2 })).toEqual({ ok: true, value: { who: "me", n: 2 } });
		expect(await made.validate({ who: "me", n: 0 })).toMatchObject({ ok: false, message: expect.stringMatching(/^n: /) });
		expect(await made.validate({ n: 1 })).toMatchObject({ ok: false, message: expect.stringContaining("who") });
		expect(await made.validate("text")).toMatchObject({ ok: false });
	});

	it("without parameters takes an empty object and nothing else", async () => {
		const made = createTool(base);
		expect(made.parameters).toEqual({ type: "object", properties: {}, additionalProperties: false });
		expect(await made.validate({})).toEqual({ ok: true, value: {} });
		expect(await made.validate({ extra: 1 })).toMatchObject({ ok: false });
	});

	it("does not touch the schema it is given, frozen or not, and is not touched by it later", async () => {
		const schema = { type: "object", properties: { a: { type: "string" } }, required: ["a"] };
		const before = structuredClone(schema);
		const made = tool(Object.freeze(schema));
		expect(Reflect.ownKeys(schema)).toEqual(Reflect.ownKeys(before));
		(schema.properties.a as { type: string }).type = "number";
		expect(await made.validate({ a: "text" })).toMatchObject({ ok: true });
	});

	it("sees properties called constructor and toString as absent when they are", async () => {
		const made = tool({
			type: "object",
			properties: { constructor: { type: "string" }, toString: { type: "number" } },
			required: ["constructor"],
		});
		expect(await made.validate({ constructor: "x" })).toMatchObject({ ok: true });
		expect(await made.validate({})).toMatchObject({ ok: false });
	});

	it("survives a schema that refers to itself without end and arguments nested deeper than the stack", async () => {
		const endless = tool({
			type: "object",
			properties: { a: { $ref: "#/definitions/a" } },
			definitions: { a: { $ref: "#/definitions/a" } },
		});
		expect(await endless.validate({ a: 1 })).toMatchObject({ ok: false });
		let deep: unknown = 1;
		for (let i = 0; i < 50_000; i++) deep = [deep];
		const tree = tool({
			type: "object",
			properties: { tree: { $ref: "#/definitions/tree" } },
			definitions: { tree: { items: { $ref: "#/definitions/tree" } } },
		});
		expect(await tree.validate({ tree: [[1], 2] })).toMatchObject({ ok: true });
		expect(await tree.validate({ tree: deep })).toMatchObject({ ok: false });
	});

	it("takes recursive schemas that end", async () => {
		const made = tool({ type: "object", properties: { next: { $ref: "#" }, id: { type: "number" } } });
		expect(await made.validate({ id: 1, next: { id: 2, next: {} } })).toMatchObject({ ok: true });
		expect(await made.validate({ next: { next: { id: "x" } } })).toMatchObject({
			ok: false,
			message: expect.stringContaining("next.next.id"),
		});
	});

	it("runs no code from a schema", async () => {
		const probe = globalThis as { pwned?: boolean };
		const made = tool({
			type: "object",
			title: "`$" + "{globalThis.pwned = true}`",
			properties: {
				"');globalThis.pwned=true;('": { type: "string", default: "$" + "{globalThis.pwned=true}", format: "');globalThis.pwned=true//" },
			},
		});
		await made.validate({ "');globalThis.pwned=true;('": "x" });
		expect(probe.pwned).toBeUndefined();
	});

	it.each([
		[{ type: "string" }, 'type "object", got "string"'],
		[[], "type"],
		[{ type: "object", properties: { a: { type: "text" } } }, 'parameters.properties.a.type is "text"'],
		[{ type: "object", properties: { a: { pattern: "(" } } }, "parameters.properties.a.pattern is no regular expression"],
		[{ type: "object", patternProperties: { "[": {} } }, "patternProperties"],
		[{ type: "object", properties: [] }, "parameters.properties must be a schema"],
		[{ type: "object", properties: { a: "string" } }, "parameters.properties.a must be a schema"],
		[{ type: "object", required: "a" }, "parameters.required must be an array"],
		[{ type: "object", properties: { a: { enum: "x" } } }, "parameters.properties.a.enum must be an array"],
		[{ type: "object", properties: { a: { $ref: "https://example.com/schema" } } }, "must point into the same schema"],
		[{ type: "object", properties: { a: { $ref: "#/definitions/missing" } } }, "#/definitions/missing"],
		[
			{ type: "object", properties: { a: { anyOf: [{ type: "number" }, { items: { type: 3 } }] } } },
			"parameters.properties.a.anyOf[1].items.type is 3",
		],
		[{ type: "object", allOf: {} }, "parameters.allOf must be a schema"],
	])("refuses the schema %j when the tool is made", (schema, message) => {
		const { message: said } = errorOf(() => tool(schema));
		expect(said).toContain('"add"');
		expect(said).toContain(message);
	});

	it("refuses a schema that is no JSON", () => {
		const circular: { self?: unknown; type: string } = { type: "object" };
		circular.self = circular;
		expect(errorOf(() => tool(circular)).message).toMatch(/no JSON/);
		expect(errorOf(() => tool({ type: "object", default: 1n })).message).toMatch(/no JSON/);
	});
});

describe("createTool()", () => {
	it.each(["", " ", "has space", "dots.are.out", "ünicode", "a".repeat(65), "semi;colon", "new\nline", undefined, 7])(
		"refuses the name %j",
		(name) => {
			expect(errorOf(() => createTool({ ...base, name: name as string })).message).toMatch(/64 letters, digits/);
		},
	);

	it.each(["a", "A-b_9", "a".repeat(64)])("takes the name %j", (name) => {
		expect(createTool({ ...base, name }).name).toBe(name);
	});

	it("refuses a blank description, an execute that is no function and parameters that are no schema", () => {
		expect(errorOf(() => createTool({ ...base, description: " \n" })).message).toMatch(/"add".*description/);
		expect(errorOf(() => createTool({ ...base, execute: "x" as never })).message).toMatch(/execute must be a function/);
		expect(errorOf(() => createTool({ ...base, parameters: 5 as never })).message).toMatch(/Standard Schema/);
	});

	it.each([
		[{ timeoutMs: 0 }, "timeoutMs must be from 1 to 2147483647, got 0"],
		[{ timeoutMs: 2 ** 31 }, "got 2147483648"],
		[{ timeoutMs: Number.NaN }, "got NaN"],
		[{ timeoutMs: "1s" }, 'got "1s"'],
		[{ timeoutMs: null }, "got null"],
		[{ raiseOnError: "yes" }, 'raiseOnError must be true or false, got "yes"'],
		[{ strict: 1 }, "strict must be true or false, got 1"],
		[{ maxResultBytes: 255 }, "maxResultBytes must be a whole number from 256, got 255"],
		[{ maxResultBytes: 1e9 + 0.5 }, "maxResultBytes"],
		[{ timeoutMS: 5 }, 'createTool() knows no option "timeoutMS". Did you mean "timeoutMs"?'],
		[{ inputSchema: {} }, 'knows no option "inputSchema"'],
	])("refuses the options %j", (options, message) => {
		expect(errorOf(() => createTool({ ...base, ...(options as object) })).message).toContain(message);
	});

	it("puts what it is told of the tool on it, and nothing else", () => {
		const options = { timeoutMs: 2 ** 31 - 1, raiseOnError: false, strict: true, maxResultBytes: 256 };
		expect(createTool({ ...base, ...options })).toMatchObject(options);
		expect(Object.keys(createTool(base)).toSorted()).toEqual(["description", "execute", "name", "parameters", "validate"]);
	});

	it.each([undefined, null, "add", 5])("refuses %j as a definition", (definition) => {
		expect(errorOf(() => createTool(definition as never)).message).toMatch(/createTool\(\) takes options/);
	});

	it("makes an immutable tool whose execute always gives a promise", async () => {
		const tool = createTool({ ...base, execute: () => { throw new Error("sync"); } }); // biome-ignore format: one line
		expect(Object.isFrozen(tool)).toBe(true);
		await expect(tool.execute({}, {})).rejects.toThrow("sync");
	});
});
