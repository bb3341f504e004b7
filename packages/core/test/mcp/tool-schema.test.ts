import type { JSONSchema7 } from "@ai-sdk/provider";
import { type Schema, Validator } from "@cfworker/json-schema";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { remoteParameters } from "../../src/mcp/tool-schema.js";
import { weakSchema } from "../../src/mcp/weak-schema.js";

const accepts = (schema: JSONSchema7, value: unknown): boolean =>
	new Validator(structuredClone(schema) as Schema, "7").validate(structuredClone(value)).valid;

const value = fc.letrec((tie) => ({
	value: fc.oneof(
		{ maxDepth: 3 },
		fc.constantFrom(null, true, 0, 1, 2, "", "a", "aa"),
		fc.array(tie("value"), { maxLength: 3 }),
		fc.dictionary(fc.constantFrom("a", "b", "c"), tie("value"), { maxKeys: 3 }),
	),
})).value;

const optional = { requiredKeys: [] as [] };
const schema = fc.letrec<{ schema: object | boolean }>((tie) => ({
	schema: fc.oneof(
		{ maxDepth: 3 },
		fc.boolean(),
		fc.constantFrom({ $ref: "#" }, { $ref: "#/properties/a" }, { $ref: "#/definitions/b" }),
		fc.record(
			{
				type: fc.constantFrom("object", "string", "array", "integer", ["string", "object"]),
				enum: fc.constantFrom([1, "a"], ["aa", null]),
				const: fc.constantFrom("a", 1),
				required: fc.constantFrom(["a"], ["a", "b"]),
				minLength: fc.constantFrom(0, 2),
				maximum: fc.constantFrom(0, 1),
				minItems: fc.constantFrom(0, 2),
				pattern: fc.constantFrom("^a$", "^(a+)+$"),
				uniqueItems: fc.boolean(),
				properties: fc.dictionary(fc.constantFrom("a", "b"), tie("schema"), { maxKeys: 2 }),
				patternProperties: fc.dictionary(fc.constantFrom("^a", "c"), tie("schema"), { maxKeys: 1 }),
				additionalProperties: tie("schema"),
				items: fc.oneof(tie("schema"), fc.array(tie("schema"), { maxLength: 2 })),
				not: tie("schema"),
				if: tie("schema"),
				// biome-ignore lint/suspicious/noThenProperty: it is a keyword of JSON Schema
				then: tie("schema"),
				allOf: fc.array(tie("schema"), { minLength: 1, maxLength: 2 }),
				anyOf: fc.array(tie("schema"), { minLength: 1, maxLength: 2 }),
				oneOf: fc.array(tie("schema"), { minLength: 1, maxLength: 2 }),
			},
			optional,
		),
	),
})).schema;

/** A tool's schema: an object at the top, with a place to refer to. */
const ofTool = fc.tuple(schema, schema).map(([top, b]) => ({
	...(typeof top === "object" ? top : {}),
	type: "object" as const,
	definitions: { b },
}));

describe("the schema by which arguments are checked", () => {
	it("lets through everything that the server's own does", () => {
		let accepted = 0;
		fc.assert(
			fc.property(ofTool, fc.dictionary(fc.constantFrom("a", "b", "c"), value, { maxKeys: 3 }), (own, input) => {
				let isRight: boolean;
				try {
					isRight = accepts(own as JSONSchema7, input);
				} catch {
					return; // refers to itself without end
				}
				if (!isRight) return;
				accepted += 1;
				expect(accepts(weakSchema(own as JSONSchema7), input)).toBe(true);
			}),
			{ numRuns: 1_000 },
		);
		expect(accepted).toBeGreaterThan(20);
	});

	it("still refuses what is plainly wrong, also behind a reference", async () => {
		const { validate } = remoteParameters("t", {
			type: "object",
			properties: { a: { $ref: "#/$defs/name" }, n: { type: "integer", minimum: 1 } },
			required: ["a"],
			additionalProperties: false,
			$defs: { name: { type: "string", minLength: 2 } },
		});
		expect(await validate({ a: "ok", n: 1 })).toEqual({ ok: true, value: { a: "ok", n: 1 } });
		for (const wrong of [{}, { a: 7 }, { a: "x" }, { a: "ok", n: 0 }, { a: "ok", b: 1 }, "text", [], null]) {
			expect(await validate(wrong)).toMatchObject({ ok: false });
		}
	});

	it("has neither patterns nor references nor what turns weaker into stronger", () => {
		const weak = weakSchema({
			type: "object",
			properties: { a: { type: "string", pattern: "(a+)+$", format: "uri", not: { const: "b" } } },
			patternProperties: { "(x+)+": { type: "string" } },
			additionalProperties: false,
			oneOf: [{ $ref: "#" }, { required: ["a"] }],
		});
		expect(weak).toEqual({
			type: "object",
			properties: { a: { type: "string" } },
			allOf: [
				{
					anyOf: [
						{ type: "object", properties: { a: { type: "string" } }, allOf: [{ anyOf: [true, { required: ["a"] }] }] },
						{ required: ["a"] },
					],
				},
			],
		});
	});
});

it("a list whose first items are described apart is not checked by what is said of the rest", () => {
	const own = { type: "object", properties: { a: { type: "array", prefixItems: [{}], items: false } } };
	expect(weakSchema(own as never)).toEqual({ type: "object", properties: { a: { type: "array" } } });
});

describe("the schema that a model is shown", () => {
	const shown = (schema: unknown): JSONSchema7 => remoteParameters("t", schema).schema;

	it("is the server's, with its texts bounded and cleaned", () => {
		const described = { type: "object", properties: { a: { type: "string", description: "\u001b[31mred\u0007" } }, required: ["a"] };
		expect(shown(described)).toEqual({ type: "object", properties: { a: { type: "string", description: "[31mred" } }, required: ["a"] });
		const long = shown({ type: "object", properties: { a: { description: "x".repeat(100_000) } } });
		expect(JSON.stringify(long).length).toBeLessThan(1_200);
	});

	it("loses patterns that are none, or longer than anybody reads, and names of other schemas", () => {
		expect(
			shown({
				$schema: "https://json-schema.org/draft/2020-12/schema",
				$id: "https://example.com/x",
				properties: { a: { pattern: "(" }, b: { pattern: "a".repeat(201) }, c: { pattern: "^c$" } },
			}),
		).toEqual({ type: "object", properties: { a: {}, b: {}, c: { pattern: "^c$" } } });
	});

	it.each([
		["no schema", 7],
		["a list", []],
		["of another type", { type: "string" }],
		["with a reference to elsewhere", { type: "object", properties: { a: { $ref: "https://example.com/x.json" } } }],
		["with an unknown type", { type: "object", properties: { a: { type: "text" } } }],
		["larger than 64 KiB", { type: "object", properties: { a: { enum: ["x".repeat(70_000)] } } }],
	])("says nothing where the server's is %s", (_, schema) => {
		expect(shown(schema)).toEqual({ type: "object", properties: {} });
	});

	it("can speak of __proto__", () => {
		const schema = JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{"type":"string"}}}');
		expect(Object.keys(shown(schema).properties ?? {})).toEqual(["__proto__", "constructor"]);
		expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
	});
});
