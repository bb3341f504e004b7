import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { runInNewContext } from "node:vm";
import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { scope, type } from "arktype";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { createTool } from "../../src/tool/create-tool.js";
import type { Tool, ToolArguments } from "../../src/tool/tool.js";

const made = (parameters: unknown): Tool =>
	createTool({ name: "probe", description: "Probes.", parameters: parameters as never, execute: (input) => input });

const errorOf = (parameters: unknown): string => {
	try {
		made(parameters);
	} catch (error) {
		return `${(error as Error).name}: ${(error as Error).message}`;
	}
	return "it was made";
};

interface Branch {
	readonly id: number;
	readonly children: readonly Branch[];
}

const zodBranch = z.object({
	id: z.number(),
	get children() {
		return z.array(zodBranch);
	},
});
const namedBranch = z
	.object({
		id: z.number(),
		get children() {
			return z.array(namedBranch);
		},
	})
	.meta({ id: "Branch" });
const valibotBranch: v.GenericSchema<Branch> = v.object({ id: v.number(), children: v.array(v.lazy(() => valibotBranch)) });
const jsonBranch = {
	type: "object",
	properties: { id: { type: "number" }, children: { type: "array", items: { $ref: "#" } } },
	required: ["id", "children"],
};

describe("Parameters that hold themselves", () => {
	it.each([
		["zod", zodBranch],
		["zod, with a name", namedBranch],
		["arktype", scope({ branch: { id: "number", children: "branch[]" } }).export().branch],
		["valibot", toStandardJsonSchema(valibotBranch)],
		["JSON Schema", jsonBranch],
	])("are described as an object and checked all the way down: %s", async (_, schema) => {
		const tool = made(schema);
		expect(tool.parameters).toMatchObject({ type: "object", required: expect.arrayContaining(["id", "children"]) });
		const tree = { id: 1, children: [{ id: 2, children: [{ id: 3, children: [] }] }] };
		expect(await tool.validate(tree)).toEqual({ ok: true, value: tree });
		expect(await tool.validate({ id: 1, children: [{ id: 2, children: [{ id: "3", children: [] }] }] })).toMatchObject({ ok: false });
		// what is referred to is there
		for (const [, keyword = "", name = ""] of JSON.stringify(tool.parameters).matchAll(/"#\/(\$defs|definitions)\/(\w+)"/g)) {
			expect(tool.parameters).toHaveProperty([keyword, name]);
		}
	});

	it("are described under their name, too", () => {
		const plain = made(z.object({ a: z.string() }).meta({ id: "Plain", title: "A plain one" })).parameters;
		expect(plain).toMatchObject({ type: "object", properties: { a: { type: "string" } }, required: ["a"] });
	});
});

/** One meaning in four languages: words, a choice, one of two types, a default, something nested, null. */
const FOUR = [
	[
		"zod",
		z.object({
			size: z.enum(["s", "m"]),
			id: z.union([z.string(), z.number()]),
			count: z.number().default(3),
			to: z.object({ city: z.string(), zip: z.string().nullable() }),
		}),
	],
	["arktype", type({ size: "'s' | 'm'", id: "string | number", count: "number = 3", to: { city: "string", zip: "string | null" } })],
	[
		"valibot",
		toStandardJsonSchema(
			v.object({
				size: v.picklist(["s", "m"]),
				id: v.union([v.string(), v.number()]),
				count: v.optional(v.number(), 3),
				to: v.object({ city: v.string(), zip: v.nullable(v.string()) }),
			}),
		),
	],
	[
		"JSON Schema",
		{
			type: "object",
			properties: {
				size: { enum: ["s", "m"] },
				id: { type: ["string", "number"] },
				count: { type: "number", default: 3 },
				to: {
					type: "object",
					properties: { city: { type: "string" }, zip: { anyOf: [{ type: "string" }, { type: "null" }] } },
					required: ["city", "zip"],
				},
			},
			required: ["size", "id", "to"],
		},
	],
] as const;

describe.each(FOUR)("Parameters in %s", (language, schema) => {
	const good = { size: "m", id: 7, to: { city: "Ulm", zip: null } };

	it("say to the model what they ask for, choices and what may be left out included", () => {
		const { parameters } = made(schema);
		expect(Object.keys(parameters.properties ?? {}).toSorted()).toEqual(["count", "id", "size", "to"]);
		expect(parameters.required?.toSorted()).toEqual(["id", "size", "to"]);
		expect(parameters.properties?.size).toMatchObject({ enum: expect.arrayContaining(["s", "m"]) });
		expect(parameters.properties?.to).toMatchObject({ type: "object", properties: { city: { type: "string" } } });
		expect(JSON.stringify(parameters.properties?.id)).toMatch(/string.*number|number.*string/);
	});

	it("fill in what is left out where the library does; JSON Schema fills in nothing", async () => {
		const filled = language === "JSON Schema" ? good : { ...good, count: 3 };
		expect(await made(schema).validate(good)).toEqual({ ok: true, value: filled });
	});

	it.each([
		["size", { ...good, size: "xl" }],
		["id", { ...good, id: true }],
		["to.city", { ...good, to: { city: 1, zip: "x" } }],
		["to", { ...good, to: [] }],
		["count", { ...good, count: "3" }],
	])("name %s when it is wrong", async (path, input) => {
		const checked = (await made(schema).validate(input)) as Extract<ToolArguments, { ok: false }>;
		expect(checked.message).toContain(path);
	});
});

describe("A schema that cannot be described", () => {
	it.each([
		["a bigint in zod", z.object({ n: z.bigint() }), /zod schema has no JSON Schema \(BigInt.*or pass plain JSON Schema/],
		["a map in zod", z.object({ n: z.map(z.string(), z.string()) }), /no JSON Schema \(Map/],
		["a date in valibot", toStandardJsonSchema(v.object({ at: v.date() })), /valibot schema has no JSON Schema \(The "date" schema/],
		["one of two objects", z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]), /got "anyOf".*a property of one/],
		["one of two kinds", z.discriminatedUnion("k", [z.object({ k: z.literal(1) }), z.object({ k: z.literal(2) })]), /got "oneOf"/],
		["either of two in arktype", type({ a: "string" }).or({ b: "string" }), /got "anyOf"/],
		["anything", z.any(), /got anything/],
		["a list", z.array(z.string()), /got "array"/],
	])("is an error with the next step when the tool is made: %s", (_, schema, message) => {
		expect(errorOf(schema)).toMatch(/^ConfigurationError: Cannot create the tool "probe"/);
		expect(errorOf(schema)).toMatch(message);
	});

	const circular: Record<string, unknown> = { type: "object" };
	circular.self = circular;
	it.each([
		["nothing", undefined],
		["null", null],
		["what holds itself", circular],
		["a reference to nothing", { $ref: "#/definitions/none" }],
		["a reference to itself", { $ref: "#/definitions/a", definitions: { a: { $ref: "#/definitions/a" } } }],
	])("is an error, not a crash, where a library of one's own describes it as %s", (_, described) => {
		const own = {
			"~standard": { version: 1, vendor: "own", validate: (value: unknown) => ({ value }), jsonSchema: { input: () => described } },
		};
		expect(errorOf(own)).toMatch(/^ConfigurationError: Cannot create the tool "probe"/);
	});

	it("is an error, not a crash, where it is nested deeper than the stack", () => {
		for (const depth of [500, 2_000, 20_000]) {
			let deep: object = { type: "string" };
			for (let i = 0; i < depth; i++) deep = { type: "object", properties: { a: deep } };
			expect(errorOf(deep)).toMatch(/^ConfigurationError|^it was made$/);
		}
	});

	it("is null, and nothing else, that is not the same as no parameters", () => {
		expect(errorOf(null)).toMatch(/parameters must be a Standard Schema .* got null/);
	});
});

/** Something to wait for that is no promise. */
const later = (settle: (done: (result: object) => void, fail: (error: Error) => void) => void): object => ({ ["then" as string]: settle });
const noAnswer = "the schema answered with neither a value nor a list of issues";

describe("A check of arguments", () => {
	it("ends, whatever the patterns of the schema and the texts of the model", () => {
		const fixture = join(import.meta.dirname, "fixtures/slow-patterns.mjs");
		const { status, stdout, stderr } = spawnSync(process.execPath, [fixture], { encoding: "utf8", timeout: 50_000 });
		const late = "checking the arguments took too long: send shorter texts and lists";
		expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
		expect(stdout.trim().split("\n")).toEqual([
			`exponential ${late}`,
			`alternatives ${late}`,
			`quadratic ${late}`,
			`property-names ${late}`,
			`unlike-each-other ${late}`,
			`choices-in-choices ${late}`,
			"fifty calls 1",
			"and then true a: String does not match pattern.",
		]);
	});

	it("(control) never ends where nothing cuts it short", () => {
		const script = `console.log(/^(a+)+$/u.test("a".repeat(50) + "!"))`;
		expect(spawnSync(process.execPath, ["--eval", script], { timeout: 3_000 }).signal).toBe("SIGTERM");
	});

	it.each<[string, unknown, string]>([
		["undefined", undefined, "undefined"],
		["a bigint", 1n, "bigint"],
		["a symbol", Symbol("x"), "symbol"],
		["a function", () => {}, "function"],
		["a bigint inside", { a: [1n] }, "bigint"],
	])("says what there is that JSON does not have: %s", async (_, input, expected) => {
		const tool = made({ type: "object", properties: { a: { type: "array", items: { type: "number" } } } });
		const checked = await tool.validate(input);
		expect((checked as Extract<ToolArguments, { ok: false }>).message).toMatch(
			new RegExp(`^the arguments hold something that JSON does not have \\(.*${expected}`),
		);
	});

	it("is told that the arguments are nested too deeply where they are", async () => {
		const tool = made(jsonBranch);
		let deep: unknown = { id: 1, children: [] };
		for (let depth = 0; depth < 20_000; depth++) deep = { id: 1, children: [deep] };
		expect(await tool.validate(deep)).toEqual({ ok: false, message: "the arguments are nested too deeply to be checked" });
	});

	it("tells of the first problem where there are too many to find all of them soon", async () => {
		const tool = made({ type: "object", properties: { list: { type: "array", items: { type: "number" } } } });
		const checked = await tool.validate({ list: Array.from({ length: 1_000_000 }, () => "x") });
		expect((checked as Extract<ToolArguments, { ok: false }>).message).toMatch(/^list\.0: [^;]*$/);
	});

	it("tells of ten problems at most, however many there are", async () => {
		const tool = made({ type: "object", properties: { list: { type: "array", items: { type: "number" } } } });
		const checked = await tool.validate({ list: Array.from({ length: 5_000 }, () => "x") });
		expect((checked as Extract<ToolArguments, { ok: false }>).message.match(/list\.\d+: /g)).toHaveLength(10);
	});

	it.each<[string, unknown, ToolArguments]>([
		["a promise", Promise.resolve({ issues: [{ message: "no" }] }), { ok: false, message: "no" }],
		["a promise of another realm", runInNewContext(`Promise.resolve({ issues: [{ message: "no" }] })`), { ok: false, message: "no" }],
		["something to wait for", later((done) => done({ issues: [{ message: "no" }] })), { ok: false, message: "no" }],
		["something to wait for that fails", later((_, fail) => fail(new Error("broken"))), { ok: false, message: "broken" }],
		["something to wait for that answers", later((done) => done({ value: 1 })), { ok: true, value: 1 }],
		[
			"a function to wait for",
			Object.assign(
				() => {},
				later((done) => done({ value: 1 })),
			),
			{ ok: true, value: 1 },
		],
		["no value", { value: undefined }, { ok: true, value: undefined }],
		["neither a value nor issues", {}, { ok: false, message: noAnswer }],
		["nothing", undefined, { ok: false, message: noAnswer }],
		["a text", "fine", { ok: false, message: noAnswer }],
		["issues that are no list", { issues: "no" }, { ok: false, message: noAnswer }],
	])("waits for what a schema answers with, and takes nothing for a yes but a value: %s", async (_, answer, expected) => {
		const input = (): object => ({ type: "object" });
		const tool = made({ "~standard": { version: 1, vendor: "own", validate: () => answer, jsonSchema: { input } } });
		expect(await tool.validate({})).toEqual(expected);
	});

	it("is told in a bounded text, whatever the library says", async () => {
		const wordy = z.object({ a: z.string().refine(() => false, { error: "x".repeat(100_000) }) });
		const { callTool } = await import("../../src/tool/call-tool.js");
		const { text } = await callTool({ name: "probe", args: { ok: true, value: { a: "" } } }, new Map([["probe", made(wordy)]]), {});
		expect(text.length).toBeLessThan(2_200);
	});
});
