import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { type } from "arktype";
import * as v from "valibot";
import { describe, expect, expectTypeOf, it } from "vitest";
import * as z from "zod";
import { RobotResult } from "../../src/message/robot-result.js";
import { Robot } from "../../src/robot/robot.js";
import type { AnswerSchema } from "../../src/run/answer-schema.js";
import type { StreamEvent } from "../../src/stream/stream-event.js";
import { ScriptedModel } from "../../src/testing/scripted-model.js";
import type { ScriptedRound } from "../../src/testing/scripted-reply.js";
import { assertWholeLog } from "../../src/testing/whole-log.js";
import { createTool } from "../../src/tool/create-tool.js";

const json = {
	type: "object" as const,
	properties: { city: { type: "string" as const }, degrees: { type: "number" as const } },
	required: ["city", "degrees"],
};

const schemas: readonly (readonly [string, AnswerSchema])[] = [
	["zod", z.object({ city: z.string(), degrees: z.number() })],
	["arktype", type({ city: "string", degrees: "number" })],
	["valibot", toStandardJsonSchema(v.object({ city: v.string(), degrees: v.number() }))],
	["plain JSON Schema", json],
];

function robotWith(rounds: readonly ScriptedRound[], schema?: AnswerSchema): { robot: Robot; model: ScriptedModel } {
	const model = new ScriptedModel(rounds);
	return { robot: new Robot({ name: "bob", model, ...(schema && { schema }) }), model };
}

describe("an answer that was asked for by a schema", () => {
	it.each(schemas)("of %s is data in the result, and the model is told of the schema", async (_, schema) => {
		const { robot, model } = robotWith(['{"city":"Berlin","degrees":21}'], schema);
		const result = await robot.run("The weather?");
		expect(result).toMatchObject({ stopReason: "stop", data: { city: "Berlin", degrees: 21 } });
		expect(Object.isFrozen(result.data)).toBe(true);
		expect(model.calls[0]?.responseFormat).toMatchObject({ type: "json", schema: { type: "object", required: ["city", "degrees"] } });
		expect(RobotResult.fromJSON(JSON.stringify(result))).toEqual(result);
	});

	it.each([
		["no JSON", "It is 21 degrees.", "not valid JSON"],
		["JSON of another form", '{"city":"Berlin"}', "degrees"],
		["no object", "21", "object"],
		["nothing", "", "not valid JSON"],
	])("that is %s is kept, ends the run with invalid_output, and the log says why", async (_, text, reason) => {
		const { robot } = robotWith([{ text }], json);
		const events: StreamEvent[] = [];
		robot.on("event", (event) => void events.push(event));
		const result = await robot.run("The weather?");
		expect([result.stopReason, result.data, result.lastTextContent ?? ""]).toEqual(["invalid_output", undefined, text]);
		expect(result.stopped).toBe(false);
		expect(JSON.stringify(events.find(({ event }) => event === "metadata.updated"))).toContain(reason);
		assertWholeLog(events);
	});

	it("is looked for in time that grows with the text alone, whatever is in an open fence", async () => {
		// in quadratic time this would take hours
		const { robot } = robotWith([{ text: [`\`\`\`\n${" ".repeat(4_000_000)}x`] }], json);
		expect((await robot.run("x")).stopReason).toBe("invalid_output");
	});

	it("is not waited for where the run is aborted while it is checked", async () => {
		const stop = new AbortController();
		const validate = (): Promise<never> => {
			stop.abort();
			return new Promise(() => {});
		};
		const converter = () => ({ type: "object" });
		const schema = { "~standard": { version: 1, vendor: "test", validate, jsonSchema: { input: converter, output: converter } } } as never;
		const { robot } = robotWith(["{}"], schema);
		expect((await robot.run("x", { signal: stop.signal })).stopReason).toBe("aborted");
	});

	it("has the type of what the schema lets through, as data", async () => {
		const schema = z.object({ at: z.string().transform((text) => new Date(text)), tags: z.array(z.string()) });
		const { data } = await robotWith(['{"at":"2026-01-02T00:00:00Z","tags":["a"]}']).robot.run("x", { schema });
		expectTypeOf(data).toEqualTypeOf<{ readonly at: string; readonly tags: readonly string[] } | undefined>();
		expect(data).toEqual({ at: "2026-01-02T00:00:00.000Z", tags: ["a"] });
	});

	it("may stand in a fence", async () => {
		const { robot } = robotWith(['```json\n{"city":"Rome","degrees":30}\n```\n'], json);
		expect((await robot.run("x")).data).toEqual({ city: "Rome", degrees: 30 });
	});

	it("comes after tool rounds, and only an answer that came to its end is one", async () => {
		const look = createTool({ name: "look", description: "Looks.", execute: () => "sunny" });
		const rounds: ScriptedRound[] = [{ toolCalls: [{ name: "look" }] }, '{"city":"Rome","degrees":30}'];
		const whole = new Robot({ name: "bob", model: new ScriptedModel(rounds), localTools: [look], schema: json });
		expect((await whole.run("x")).data).toEqual({ city: "Rome", degrees: 30 });
		const cut = robotWith([{ text: '{"city":"Rome","degrees":30}', finishReason: "length" }], json).robot;
		expect(await cut.run("x")).toMatchObject({ stopReason: "length", data: undefined });
	});

	it("is asked for by one run alone, in the place of the robot's own schema, or by withSchema", async () => {
		const { robot, model } = robotWith(['{"a":1}', "text", '{"a":2}']);
		const schema = z.object({ a: z.number().transform((a) => a * 10) });
		expect((await robot.run("x", { schema })).data).toEqual({ a: 10 });
		expect((await robot.run("y")).data).toBeUndefined();
		expect(model.calls[1]?.responseFormat).toBeUndefined();
		expect((await robot.withSchema(schema).run("z")).data).toEqual({ a: 20 });
	});

	it("of a schema that cannot be is refused when the robot is made, or by the run", async () => {
		expect(() => robotWith([], z.string())).toThrow("Cannot ask for answers of this schema");
		expect(() => robotWith([], { type: "objekt" } as never)).toThrow("Cannot ask for answers of this schema");
		const { robot, model } = robotWith([]);
		await expect(robot.run("x", { schema: 5 as never })).rejects.toMatchObject({ code: "configuration" });
		expect(model.calls).toEqual([]);
	});
});
