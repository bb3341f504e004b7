import { describe, expect, it } from "vitest";
import { ConfigurationError } from "../../src/errors/configuration-error.js";
import { Robot } from "../../src/robot/robot.js";
import { ScriptedModel } from "../../src/testing/scripted-model.js";

const model = new ScriptedModel([new Error("nobody should be asked")]);
const bob = new Robot({ name: "bob", model });
const amy = new Robot({ name: "amy", model });
const as = (value: unknown): never => value as never;

/** The message of the ConfigurationError that is thrown, at once or by a promise. */
async function refusalOf(make: () => unknown): Promise<string> {
	try {
		await make();
	} catch (error) {
		if (ConfigurationError.isInstance(error)) return (error as Error).message;
		throw error;
	}
	throw new Error("nothing was thrown");
}

describe("an option that nobody knows", () => {
	it.each([
		["new Robot()", () => new Robot(as({ name: "bob", model, temprature: 1 })), '"temprature". Did you mean "temperature"?'],
		["new Robot(), config,", () => new Robot(as({ name: "bob", model, config: { topPp: 1 } })), '"topPp". Did you mean "topP"?'],
		["new Robot(), config,", () => new Robot(as({ name: "bob", model, config: { systemPrompt: "x" } })), '"systemPrompt"'],
		["new Robot(), matching,", () => new Robot(as({ name: "bob", model, matching: { topk: 1 } })), '"topk". Did you mean "topK"?'],
		[
			"new Robot(), retries,",
			() => new Robot(as({ name: "bob", model, retries: { maxRetrys: 1 } })),
			'"maxRetrys". Did you mean "maxRetries"?',
		],
		["new Robot(), config, retries,", () => new Robot(as({ name: "bob", model, config: { retries: { max: 1 } } })), '"max"'],
		["update()", () => bob.update(as({ temprature: 1 })), '"temprature". Did you mean "temperature"?'],
		["update()", () => bob.withParams(as({ max_tokens: 1 })), '"max_tokens". Did you mean "maxTokens"?'],
		["run()", () => bob.run("x", as({ singal: AbortSignal.abort() })), '"singal". Did you mean "signal"?'],
		["run()", () => bob.run("x", as({ capacity: 1 })), '"capacity"'],
		["stream()", () => bob.stream("x", as({ overflw: "coalesce" })), '"overflw". Did you mean "overflow"?'],
		["delegate()", () => bob.delegate(amy, "x", as({ timeoutMS: 5 })), '"timeoutMS". Did you mean "timeoutMs"?'],
		["delegate()", () => bob.delegate(amy, "x", as({ singal: 5 })), '"singal". Did you mean "signal"?'],
		["value()", () => bob.delegate(amy, "x").value(as({ timeout: 5 })), '"timeout". Did you mean "timeoutMs"?'],
	])("of %s is named, with the nearest one there is", async (what, make, named) => {
		const message = await refusalOf(make);
		expect(message).toContain(`${what} knows no option ${named}`);
		expect(message).toContain("It knows ");
	});

	it("is one as well where its value is undefined, and where every object inherits it", async () => {
		expect(await refusalOf(() => new Robot(as({ name: "bob", model, temprature: undefined })))).toContain('"temprature"');
		expect(await refusalOf(() => bob.run("x", as({ constructor: 1 })))).toContain('"constructor"');
		expect(await refusalOf(() => bob.update(as(JSON.parse('{ "__proto__": { "model": "x" } }'))))).toContain('"__proto__"');
	});

	it("leaves no trace: nothing is published, asked or remembered", async () => {
		const asked = new ScriptedModel([]);
		const robot = new Robot({ name: "eve", model: asked });
		const events: unknown[] = [];
		robot.on("event", (event) => events.push(event));
		for (const make of [
			() => robot.run("x", as({ singal: 1 })),
			() => robot.stream("x", as({ singal: 1 })),
			() => bob.delegate(robot, "x", as({ singal: 1 })),
		])
			await refusalOf(make);
		expect([events, asked.calls, robot.messages]).toEqual([[], [], []]);
	});
});

describe("options that are none", () => {
	it.each([null, 5, true, () => {}])("are refused: %s", async (options) => {
		for (const make of [
			() => new Robot(as(options)),
			() => new Robot(as({ name: "bob", model, config: options })),
			() => new Robot(as({ name: "bob", model, matching: options })),
			() => bob.update(as(options)),
			() => bob.run("x", as(options)),
			() => bob.stream("x", as(options)),
			() => bob.delegate(amy, "x", as(options)),
		]) {
			expect(await refusalOf(make)).toMatch(/takes options, got |A robot needs a name/);
		}
	});

	it("are told apart from none: undefined is none", async () => {
		const robot = new Robot({ name: "bob", model: new ScriptedModel("ok"), config: as(undefined), matching: as(undefined) });
		expect((await robot.run("x", undefined)).lastTextContent).toBe("ok");
	});
});

describe("an option of a run that is of the wrong kind", () => {
	it.each([
		[{ with: 5 }, "with takes files"],
		[{ with: ["a.txt", ""] }, "with takes files"],
		[{ with: [null] }, "with takes files"],
		[{ with: new URL("ftp://x.example/") }, "with takes files"],
		[{ memory: new Map() }, "memory must be a Memory or values by their keys"],
		[{ memory: null }, "memory must be"],
		[{ hooks: {} }, "hooks must be a list of hooks"],
		[{ hooks: [() => {}] }, "must be a hook, got a function"],
		[{ inherited: { hooks: [5] } }, "inherited.hooks[0] must be a hook"],
		[{ context: [] }, "context must be an object with values"],
		[{ context: { a: () => 1 } }, "context.a is"],
		[
			{ schema: 5 },
			"Cannot ask for answers of this schema: the schema must be a Standard Schema (zod, valibot, arktype) or a JSON Schema object, got 5",
		],
		[{ schema: { type: "string" } }, 'the schema must be a JSON Schema of type "object", got "string"'],
		[{ schema: { type: "object", properties: { a: { type: "txt" } } } }, 'schema.properties.a.type is "txt"'],
	])("is refused before anything is published, by run(), stream() and delegate(): %j", async (options, message) => {
		const events: unknown[] = [];
		const stop = bob.on("event", (event) => events.push(event));
		const heard = amy.on("event", (event) => events.push(event));
		expect(await refusalOf(() => bob.run("x", as(options)))).toContain(message);
		expect(await refusalOf(() => bob.stream("x", as(options)))).toContain(message);
		expect(await refusalOf(() => bob.delegate(amy, "x", as(options)))).toContain(message);
		expect(events).toEqual([]);
		stop.unsubscribe();
		heard.unsubscribe();
	});
});

describe("a value of the wrong kind", () => {
	it.each([
		[{ stop: "END" }, 'stop must be a list of texts, got "END". For one write stop: ["END"].'],
		[{ stop: [5] }, "stop must be a list of texts"],
		[{ headers: "x" }, "headers must be texts by their names"],
		[{ headers: { a: 5 } }, "headers must be texts by their names"],
		[{ headers: [["a", "b"]] }, "headers must be texts by their names"],
		[{ providerOptions: "x" }, "providerOptions must be"],
		[{ reasoning: "much" }, 'reasoning must be one of provider-default, none, minimal, low, medium, high, xhigh, max, got "much"'],
		[{ reasoning: true }, "reasoning must be one of"],
		[{ retries: "3" }, "retries must be a number or"],
		[{ retries: null }, "retries must be a number or"],
		[{ retries: { sleep: 5 } }, "retries.sleep must be a function"],
		[{ retries: { random: 5 } }, "retries.random must be a function"],
		[{ onContent: "x" }, "onContent must be a function"],
		[{ onToolCall: {} }, "onToolCall must be a function"],
		[{ onToolResult: 5 }, "onToolResult must be a function"],
		[{ maxTools: -1 }, "maxTools must be a whole number"],
		[{ maxTools: Number.POSITIVE_INFINITY }, "maxTools must be a whole number"],
		[{ seed: "7" }, "seed must be a whole number"],
		[{ mcpDiscovery: "yes" }, "mcpDiscovery must be a boolean"],
		[{ description: 5 }, "description must be a string"],
		[{ systemPrompt: ["x"] }, "systemPrompt must be a string"],
		[{ localTools: 5 }, "localTools must be a list of tools"],
		[{ localTools: "ab" }, "localTools must be a list of tools"],
		[{ skills: "greeter" }, 'skills: ["greeter"]'],
	])("is refused by the constructor, in config and by update(): %j", async (options, message) => {
		expect(await refusalOf(() => new Robot({ name: "bob", model, ...options } as never))).toContain(message);
		expect(await refusalOf(() => bob.update(as(options)))).toContain(message);
		const [name = ""] = Object.keys(options);
		const isOwn = ["description", "systemPrompt", "localTools", "skills"].includes(name);
		if (!isOwn) expect(await refusalOf(() => new Robot({ name: "bob", model, config: options } as never))).toContain(message);
	});

	it("is refused by the methods that change a robot, which is as it was then", async () => {
		const before = JSON.stringify(bob);
		for (const change of [
			() => bob.withModel(as("antropic/x")),
			() => bob.withTemperature(as("hot")),
			() => bob.withInstructions(as(5)),
			() => bob.withHeaders(as("x")),
			() => bob.withReasoning(as("much")),
			() => bob.withTool(as(undefined)),
			() => bob.withTool(as({ name: "x" })),
			() => bob.withTools(as("x")),
			() => bob.withContext({ nobody: "takes it" }),
			() => bob.withTemplate("there-is-none"),
		]) {
			await refusalOf(change);
		}
		expect(JSON.stringify(bob)).toBe(before);
	});

	it.each([
		["run", { signal: 5 }, "AbortSignal"],
		["run", { signal: new AbortController() }, "AbortSignal"],
		["run", { onContent: "x" }, "a function as onContent"],
		["run", { parent: 5 }, "parent must be the run"],
		["run", { tools: 5 }, 'A run\'s tools must be "inherit", "none" or a list of names, not 5.'],
		["run", { tools: "inhreit" }, "a list of names"],
		["run", { tools: [5] }, "A run's tools must hold only names, not 5"],
		["run", { tools: null }, "a list of names"],
		["run", { tools: ["nobody"] }, 'the tool name "nobody"'],
		["delegate", { tools: {} }, 'A run\'s tools must be "inherit", "none" or a list of names'],
		["run", { context: 5 }, "context must be an object"],
		["run", { memory: 5 }, "memory must be"],
		["run", { with: 5 }, "with takes files"],
		["delegate", { signal: 5 }, "AbortSignal"],
		["delegate", { timeoutMs: -1 }, "timeoutMs must be"],
		["delegate", { timeoutMs: "5" }, "timeoutMs must be"],
		["delegate", { timeoutMs: 2 ** 31 }, "timeoutMs must be"],
	] as const)("is refused by %s(): %o", async (method, options, message) => {
		const run = (): unknown => (method === "run" ? bob.run("x", as(options)) : bob.delegate(amy, "x", as(options)));
		expect(await refusalOf(run)).toContain(message);
		expect([bob.messages, amy.messages]).toEqual([[], []]);
	});

	it.each([undefined, null, 5, "", " \n", ["x"]])("is refused as a message: %j", async (message) => {
		for (const make of [() => bob.run(as(message)), () => bob.stream(as(message)), () => bob.delegate(amy, as(message))])
			expect(await refusalOf(make)).toMatch(/^(run|stream|delegate)\(\) needs a message of text, got /);
	});
});
