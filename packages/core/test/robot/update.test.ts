import type { LanguageModelV4CallOptions } from "@ai-sdk/provider";
import { afterEach, describe, expect, it } from "vitest";
import { configure, reloadConfig } from "../../src/config/configure.js";
import { ConfigurationError } from "../../src/errors/configuration-error.js";
import { Robot } from "../../src/robot/robot.js";
import type { RobotOptions } from "../../src/robot/robot-options.js";
import type { StreamEvent } from "../../src/stream/stream-event.js";
import { ScriptedModel } from "../../src/testing/scripted-model.js";
import { createTool } from "../../src/tool/create-tool.js";
import type { Tool } from "../../src/tool/tool.js";
import { Prompts } from "../template/prompts.js";

afterEach(() => void reloadConfig());

const tool = (name: string, answer = name): Tool => createTool({ name, description: "A tool.", execute: () => answer });
const answering = (): ScriptedModel => new ScriptedModel(Array.from({ length: 20 }, () => "fine"));

const everything = {
	description: "Helps.",
	systemPrompt: "Be kind.",
	temperature: 0.1,
	topP: 0.2,
	topK: 3,
	maxTokens: 40,
	presencePenalty: 0.5,
	frequencyPenalty: 0.6,
	stop: ["END"],
	seed: 7,
	reasoning: "low",
	headers: { "x-team": "a" },
	providerOptions: { scripted: { fast: true } },
	maxToolRounds: 5,
	maxTools: 9,
	localTools: [tool("one"), tool("two")],
} satisfies Partial<RobotOptions>;

const asked = {
	temperature: 0.1,
	topP: 0.2,
	topK: 3,
	maxOutputTokens: 40,
	presencePenalty: 0.5,
	frequencyPenalty: 0.6,
	stopSequences: ["END"],
	seed: 7,
	reasoning: "low",
	headers: { "x-team": "a" },
	providerOptions: { scripted: { fast: true } },
};

/** What the model is asked in one run of the robot, without the conversation. */
async function askedIn(
	robot: Robot,
	model: ScriptedModel,
): Promise<Omit<LanguageModelV4CallOptions, "prompt"> & { system: unknown; told: unknown }> {
	robot.clearMessages();
	await robot.run("x");
	const { prompt, tools, ...rest } = model.calls.at(-1) ?? { prompt: [] };
	return { ...rest, system: prompt.find(({ role }) => role === "system")?.content, told: tools?.map(({ name }) => name) };
}

const whole = { ...asked, system: "Be kind.", told: ["one", "two"] };

describe("robot.update()", () => {
	const changes: readonly (readonly [Partial<RobotOptions>, object])[] = [
		[{ systemPrompt: "Be brief." }, { system: "Be brief." }],
		[{ temperature: 0.9 }, { temperature: 0.9 }],
		[{ topP: 0.9 }, { topP: 0.9 }],
		[{ topK: 9 }, { topK: 9 }],
		[{ maxTokens: 99 }, { maxOutputTokens: 99 }],
		[{ presencePenalty: 0.9 }, { presencePenalty: 0.9 }],
		[{ frequencyPenalty: 0.9 }, { frequencyPenalty: 0.9 }],
		[{ stop: ["STOP"] }, { stopSequences: ["STOP"] }],
		[{ seed: 9 }, { seed: 9 }],
		[{ reasoning: "high" }, { reasoning: "high" }],
		[{ headers: { "x-team": "b" } }, { headers: { "x-team": "b" } }],
		[{ providerOptions: { scripted: { slow: true } } }, { providerOptions: { scripted: { slow: true } } }],
		[{ localTools: [tool("three")] }, { told: ["three"] }],
		[{ maxTools: 1 }, { told: ["one"] }],
		[{ description: "Other." }, {}],
		[{}, {}],
	];

	it.each(changes)("with %o changes that and keeps all the rest", async (change, effect) => {
		const model = answering();
		const robot = new Robot({ name: "bob", model, ...everything });
		expect(await askedIn(robot, model)).toEqual(whole);
		expect(robot.update(change)).toBe(robot);
		expect(await askedIn(robot, model)).toEqual({ ...whole, ...effect });
	});

	it("takes away what is given as undefined, one by one until nothing is left", async () => {
		const model = answering();
		const robot = new Robot({ name: "bob", model, ...everything });
		for (const name of Object.keys(everything)) robot.update({ [name]: undefined });
		expect(await askedIn(robot, model)).toEqual({ system: undefined, told: undefined });
		expect([robot.description, robot.systemPrompt, robot.localTools]).toEqual([undefined, undefined, []]);
	});

	it("takes away to what the config says, and that away to nothing", async () => {
		const model = answering();
		const robot = new Robot({ name: "bob", model, temperature: 0.9, config: { temperature: 0.1 } });
		robot.update({ temperature: undefined });
		expect(await askedIn(robot, model)).toMatchObject({ temperature: 0.1 });
		robot.update({ config: undefined });
		expect(await askedIn(robot, model)).not.toHaveProperty("temperature");
	});

	it("that cannot be leaves the robot as it was, the good part of it too", async () => {
		const model = answering();
		const robot = new Robot({ name: "bob", model, ...everything });
		const before = JSON.stringify(robot);
		for (const change of [
			{ temperature: 0.9, topP: "x" },
			{ systemPrompt: "Other.", model: "antropic/x" },
			{ systemPrompt: "Other.", localTools: [tool("a"), tool("a")] },
			{ systemPrompt: "Other.", template: "there-is-none" },
			{ systemPrompt: "Other.", name: "eve" },
			{ systemPrompt: "Other.", name: undefined },
			{ model: undefined },
		]) {
			expect(() => robot.update(change as never)).toThrow(ConfigurationError);
		}
		expect(JSON.stringify(robot)).toBe(before);
		expect(await askedIn(robot, model)).toEqual(whole);
	});

	it("is of no consequence to a run that goes on", async () => {
		const second = answering();
		const robot: Robot = new Robot({
			name: "bob",
			systemPrompt: "First.",
			temperature: 0.1,
			model: new ScriptedModel([
				{ toolCalls: [{ name: "change" }, { name: "keep" }] },
				({ prompt, temperature, tools }) => `${prompt[0]?.content} ${temperature} ${tools?.map(({ name }) => name)}`,
			]),
			localTools: [
				tool("keep", "kept"),
				createTool({
					name: "change",
					description: "Changes the robot.",
					execute: () => {
						robot.update({ systemPrompt: "Second.", temperature: 0.9, model: second, localTools: [tool("other")], maxToolRounds: 0 });
						return "changed";
					},
				}),
			],
		});
		const result = await robot.run("x");
		expect(result.lastTextContent).toBe("First. 0.1 keep,change");
		expect(result.toolCalls.map(({ content }) => content)).toEqual(["changed", "kept"]);
		await robot.run("y");
		expect(second.calls[0]?.prompt.slice(-2).map(({ role }) => role)).toEqual(["assistant", "user"]);
		expect(second.calls[0]).toMatchObject({
			temperature: 0.9,
			tools: [{ name: "other" }],
			prompt: [{ content: "Second." }, {}, {}, {}, {}, {}],
		});
	});

	it("keeps the conversation and the memory", async () => {
		const model = answering();
		const robot = new Robot({ name: "bob", model });
		await robot.run("x");
		robot.memory.set("a", 1);
		robot.update({ systemPrompt: "Other.", localTools: [tool("one")] });
		expect([robot.messages.length, robot.memory.get("a")]).toEqual([2, 1]);
	});

	it("takes the values of a template away with it", async () => {
		const prompts = new Prompts({ "support.md": "---\nparameters: {company: }\n---\nFor {{company}}.", "plain.md": "Plain." });
		configure({ templatePath: prompts.path });
		const model = answering();
		const robot = new Robot({ name: "bob", model, template: "support", context: { company: "Acme" } });
		expect((await askedIn(robot, model)).system).toBe("For Acme.");
		expect((await askedIn(robot.update({ template: undefined }), model)).system).toBeUndefined();
		expect((await askedIn(robot.update({ template: "support", context: { company: "Init" } }), model)).system).toBe("For Init.");
		expect((await askedIn(robot.update({ template: "plain" }), model)).system).toBe("Plain.");
	});
});

describe("what a robot was made of", () => {
	it("stays as it is, whatever becomes of the lists and records it was given", async () => {
		const given = {
			localTools: [tool("one")],
			stop: ["END"],
			headers: { "x-team": "a" } as Record<string, string>,
			config: { temperature: 0.1 } as { temperature: number; topP?: number },
			context: {},
		};
		const model = answering();
		const robot = new Robot({ name: "bob", model, ...given });
		given.localTools.push(tool("two"));
		given.stop.push("STOP");
		given.headers["x-secret"] = "b";
		given.config.topP = 0.5;
		given.config.temperature = 0.9;
		const first = await askedIn(robot, model);
		const later = await askedIn(robot.update({ seed: 1 }), model);
		expect(first).toEqual({ told: ["one"], stopSequences: ["END"], headers: { "x-team": "a" }, temperature: 0.1, system: undefined });
		expect(later).toEqual({ ...first, seed: 1 });
	});

	it("stays as it is to the bottom, in its config, too", async () => {
		const given = () => ({
			providerOptions: { scripted: { thinking: { budget: 1 } } },
			schema: { type: "object", properties: { a: { type: "string" } } } as const,
			pricing: { inputPerMillion: 1, outputPerMillion: 1 },
			retries: { maxRetries: 0 },
		});
		for (const options of [given(), { config: given() }]) {
			const { providerOptions, schema, pricing, retries } = "config" in options ? options.config : options;
			const model = answering();
			const robot = new Robot({ name: "bob", model, ...options });
			providerOptions.scripted.thinking.budget = 2;
			Object.assign(schema.properties, { b: { type: "number" } });
			pricing.inputPerMillion = 1_000_000;
			retries.maxRetries = -1;
			const first = await askedIn(robot, model);
			expect(first).toMatchObject({ providerOptions: { scripted: { thinking: { budget: 1 } } } });
			expect(await askedIn(robot.update({ seed: 1 }), model)).toEqual({ ...first, seed: 1 });
			expect(JSON.stringify(first.responseFormat)).not.toContain("number");
			expect(robot.usage.costUsd).toBeLessThan(1);
		}
	});

	it("keeps a hook the one that it is, a plain record, too", async () => {
		const hook = {
			namespace: "counting",
			facts: { runs: 0 },
			beforeRun() {
				this.facts.runs += 1;
			},
		};
		const robot = new Robot({ name: "bob", model: answering(), hooks: [hook] });
		await robot.update({ seed: 1 }).run("x");
		expect(hook.facts.runs).toBe(1);
	});

	it("may be read once: tools that a generator gives are there after a change", async () => {
		function* tools(): Generator<Tool> {
			yield tool("one");
			yield tool("two");
		}
		const model = answering();
		const robot = new Robot({ name: "bob", model, localTools: tools() });
		expect((await askedIn(robot, model)).told).toEqual(["one", "two"]);
		expect((await askedIn(robot.update({ seed: 1 }), model)).told).toEqual(["one", "two"]);
		expect((await askedIn(robot.update({ localTools: tools() }).withTemperature(1), model)).told).toEqual(["one", "two"]);
	});
});

describe("the methods that change one thing", () => {
	const first = (): { robot: Robot; model: ScriptedModel } => {
		const model = answering();
		return { model, robot: new Robot({ name: "bob", model, ...everything }) };
	};

	it.each<[string, (robot: Robot) => unknown, object]>([
		["withTemperature", (robot) => robot.withTemperature(0), { temperature: 0 }],
		["withInstructions", (robot) => robot.withInstructions("Be brief."), { system: "Be brief." }],
		["withParams", (robot) => robot.withParams({ topP: 0.9, maxTokens: 500 }), { topP: 0.9, maxOutputTokens: 500 }],
		["withHeaders", (robot) => robot.withHeaders({ a: "b" }), { headers: { a: "b" } }],
		["withReasoning", (robot) => robot.withReasoning("none"), { reasoning: "none" }],
		["withTool", (robot) => robot.withTool(tool("three"), tool("four")), { told: ["one", "two", "three", "four"] }],
		["withTool of no tool", (robot) => robot.withTool(), {}],
		["withTools", (robot) => robot.withTools(new Set([tool("three")])), { told: ["three"] }],
		["withTools of none", (robot) => robot.withTools([]), { told: undefined }],
		["withContext", (robot) => robot.withContext({}), {}],
	])("%s answers with the robot and changes that alone", async (_, change, effect) => {
		const { robot, model } = first();
		expect(change(robot)).toBe(robot);
		expect(await askedIn(robot, model)).toEqual({ ...whole, ...effect });
	});

	it("withModel gives it another model", async () => {
		const { robot } = first();
		const other = answering();
		expect(robot.withModel("offline").model).toBe("offline");
		expect(robot.withModel(other)).toBe(robot);
		expect(await askedIn(robot, other)).toEqual(whole);
	});

	it("withTool puts a tool in the place of one that has its name", async () => {
		const model = new ScriptedModel([{ toolCalls: [{ name: "one" }] }, "fine"]);
		const robot = new Robot({ name: "bob", model, localTools: [tool("one", "old"), tool("two")] }).withTool(tool("one", "new"));
		expect(robot.localTools.map(({ name }) => name)).toEqual(["one", "two"]);
		expect((await robot.run("x")).toolCalls[0]?.content).toBe("new");
	});

	it("withContext and withTemplate fill in its template", async () => {
		const prompts = new Prompts({ "a.md": "A {{x}}.", "b.md": "B {{y}}." });
		configure({ templatePath: prompts.path });
		const model = answering();
		const robot = new Robot({ name: "bob", model, template: "a", context: { x: 1 } });
		expect((await askedIn(robot.withContext({ x: 2 }), model)).system).toBe("A 2.");
		expect((await askedIn(robot.withTemplate("b", { y: 3 }), model)).system).toBe("B 3.");
		expect(robot.template).toBe("b");
		expect(() => robot.withTemplate("b", { x: 2 })).toThrow(ConfigurationError);
	});
});

describe("reasoning", () => {
	it("of a config reaches the model, and the robot's own wins", async () => {
		const model = answering();
		const config = { reasoning: "low" } as const;
		expect(await askedIn(new Robot({ name: "bob", model, config }), model)).toMatchObject({ reasoning: "low" });
		expect(await askedIn(new Robot({ name: "bob", model, config, reasoning: "high" }), model)).toMatchObject({ reasoning: "high" });
		expect(await askedIn(new Robot({ name: "bob", model }), model)).not.toHaveProperty("reasoning");
	});
});

describe("maxTools", () => {
	it("tells the model of the first ones only, and the log which were left out", async () => {
		const model = answering();
		const localTools = Array.from({ length: 130 }, (_, index) => tool(`t${index}`));
		const robot = new Robot({ name: "bob", model, localTools });
		const warnings: unknown[] = [];
		robot.on("event", ({ event, data }: StreamEvent) => {
			if (event === "metadata.updated" && "type" in data && data.type === "warning") warnings.push(data.message);
		});
		await robot.run("x");
		expect(model.calls[0]?.tools?.map(({ name }) => name)).toEqual(localTools.slice(0, 128).map(({ name }) => name));
		expect(warnings).toEqual(["The model is told of 128 of 130 tools (maxTools). Left out: t128, t129."]);
		await robot.run("x", { tools: ["t129", "t0"] });
		expect(model.calls[1]?.tools?.map(({ name }) => name)).toEqual(["t129", "t0"]);
		await robot.update({ maxTools: 130 }).run("x");
		expect(model.calls[2]?.tools).toHaveLength(130);
		await robot.update({ maxTools: 0 }).run("x");
		expect(model.calls[3]).not.toHaveProperty("tools");
		expect(warnings).toHaveLength(2);
	});

	it("leaves no way to a tool that the model was not told of", async () => {
		const model = new ScriptedModel([{ toolCalls: [{ name: "two" }] }, "fine"]);
		const robot = new Robot({ name: "bob", model, maxTools: 1, localTools: [tool("one"), tool("two")] });
		expect((await robot.run("x")).toolCalls[0]?.content).toBe('Error (unknown tool): there is no tool "two". Available: one');
	});
});

describe("JSON.stringify(robot)", () => {
	it("shows what the robot is, and no header, key or function", () => {
		const secret = "sk-secret";
		const robot = new Robot({
			name: "bob",
			model: Object.assign(new ScriptedModel([]), { apiKey: secret }),
			...everything,
			headers: { authorization: secret },
			providerOptions: { scripted: { apiKey: secret } },
			config: { headers: { "x-key": secret }, onContent: () => secret },
			onToolCall: () => secret,
			onToolResult: () => secret,
			retries: { sleep: async () => secret },
		});
		robot.memory.set("key", secret);
		const text = JSON.stringify(robot);
		expect(text).not.toContain("secret");
		expect(JSON.parse(text)).toMatchObject({
			name: "bob",
			description: "Helps.",
			model: "scripted/scripted",
			systemPrompt: "Be kind.",
			localTools: ["one", "two"],
			skills: [],
			settings: { temperature: 0.1, topP: 0.2, maxTokens: 40, stop: ["END"], reasoning: "low" },
			maxToolRounds: 5,
		});
		expect(JSON.parse(JSON.stringify(robot.update({ temperature: 1 })))).toMatchObject({ settings: { temperature: 1 } });
	});

	it("shows settings that another robot's config takes, to the same effect", async () => {
		const [model, other] = [answering(), answering()];
		const robot = new Robot({ name: "bob", model, ...everything });
		const { settings } = JSON.parse(JSON.stringify(robot));
		const { headers: _, providerOptions: __, ...rest } = asked;
		expect(await askedIn(new Robot({ name: "amy", model: other, config: settings }), other)).toEqual({
			...rest,
			system: undefined,
			told: undefined,
		});
	});
});
