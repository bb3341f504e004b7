import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { type } from "arktype";
import * as v from "valibot";
import { describe, expectTypeOf, it } from "vitest";
import * as z from "zod";
import { createTool } from "../../src/tool/create-tool.js";
import type { Tool, ToolContext } from "../../src/tool/tool.js";
import { ToolManifest } from "../../src/tool/tool-manifest.js";

const base = { name: "probe", description: "Probes." } as const;

describe("What execute gets", () => {
	it("is what a zod schema gives: defaults filled in, texts transformed", () => {
		createTool({
			...base,
			parameters: z.object({
				at: z.string().transform((text) => new Date(text)),
				times: z.number().default(1),
				unit: z.enum(["a", "b"]).optional(),
			}),
			execute: (input, context) => {
				expectTypeOf(input).toEqualTypeOf<{ at: Date; times: number; unit?: "a" | "b" | undefined }>();
				expectTypeOf(context).toEqualTypeOf<ToolContext>();
			},
		});
	});

	it("is what an arktype schema gives", () => {
		createTool({
			...base,
			parameters: type({ path: "string", "depth?": "number", to: { city: "'Ulm' | 'Bonn'" } }),
			execute: (input) => {
				expectTypeOf(input).toEqualTypeOf<{ path: string; depth?: number; to: { city: "Ulm" | "Bonn" } }>();
			},
		});
	});

	it("is what a valibot schema gives", () => {
		createTool({
			...base,
			parameters: toStandardJsonSchema(v.object({ path: v.string(), depth: v.optional(v.number(), 1) })),
			execute: (input) => {
				expectTypeOf(input).toEqualTypeOf<{ path: string; depth: number }>();
			},
		});
	});

	it("is what the type argument says beside JSON Schema, else a record of what nobody knows", () => {
		createTool<{ a: number }>({
			...base,
			parameters: { type: "object", properties: { a: { type: "number" } }, required: ["a"] },
			execute: (input) => {
				expectTypeOf(input).toEqualTypeOf<{ a: number }>();
			},
		});
		createTool({
			...base,
			parameters: { type: "object", properties: { a: { type: "number" } } },
			execute: (input) => {
				expectTypeOf(input).toEqualTypeOf<Record<string, unknown>>();
			},
		});
	});
});

describe("The options of createTool()", () => {
	it("are known by name and type", () => {
		const made = createTool({ ...base, execute: () => 1, timeoutMs: 1_000, raiseOnError: true, strict: true, maxResultBytes: 1_000 });
		expectTypeOf(made).toEqualTypeOf<Tool>();
		expectTypeOf(new ToolManifest([made])).toExtend<Iterable<Tool>>();
		// @ts-expect-error: a number of milliseconds
		const wrong = (): Tool => createTool({ ...base, execute: () => 1, timeoutMs: "1s" });
		// @ts-expect-error: mistyped
		const unknown = (): Tool => createTool({ ...base, execute: () => 1, timeoutMS: 1 });
		// @ts-expect-error: it has to do something
		const idle = (): Tool => createTool({ ...base });
		expectTypeOf([wrong, unknown, idle]).items.toBeFunction();
	});
});
