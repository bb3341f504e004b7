import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { configure, reloadConfig } from "../../src/config/configure.js";
import { ConfigurationError } from "../../src/errors/configuration-error.js";
import { Robot } from "../../src/robot/robot.js";
import type { RobotOptions } from "../../src/robot/robot-options.js";
import { AgentSkillCatalog } from "../../src/skill/agent-skill-catalog.js";
import { ScriptedModel } from "../../src/testing/scripted-model.js";
import { Prompts } from "../template/prompts.js";

afterEach(() => void reloadConfig());

/** Templates in a directory of their own, in which robots then look for them. */
function prompts(files: Readonly<Record<string, string>>): Prompts {
	const made = new Prompts(files);
	configure({ templatePath: made.path });
	return made;
}

function robotOf(options: Omit<RobotOptions, "name">, answers = 9): { readonly robot: Robot; readonly model: ScriptedModel } {
	const model = new ScriptedModel(Array.from({ length: answers }, () => "fine"));
	return { robot: new Robot({ name: "bob", model, ...options }), model };
}

const systemOf = (model: ScriptedModel, call = 0): unknown => model.calls[call]?.prompt.find(({ role }) => role === "system")?.content;

async function errorOf(make: () => unknown): Promise<string> {
	try {
		await make();
	} catch (error) {
		if (ConfigurationError.isInstance(error)) return (error as Error).message;
		throw error;
	}
	throw new Error("nothing was thrown");
}

/** A catalog of skills that lie beside the templates. */
function catalogOf(directory: Prompts, ...names: readonly string[]): AgentSkillCatalog {
	for (const name of names) {
		const file = directory.beside(`skills/${name}/SKILL.md`);
		mkdirSync(dirname(file), { recursive: true });
		writeFileSync(file, `---\nname: ${name}\ndescription: Greet a person by name.\n---\nAgent skill ${name} {{x}}`);
	}
	return new AgentSkillCatalog(directory.beside("skills"));
}

describe("the system message of a robot with a template", () => {
	it("is the template's skills, deepest first, the template, then the robot's own prompt", async () => {
		prompts({
			"support.md": "---\nskills: [tone, rules/refunds]\nparameters: {company: }\n---\n\nYou work for {{company}}.\n\n",
			"tone.md": "---\nskills: [plain]\n---\nBe kind at {{company}}.",
			"plain.md": "Use plain words.",
			"rules/refunds.md": "---\nskills: [plain, support]\nparameters: {days: 30}\n---\nRefunds: {{days}} days.",
		});
		const { robot, model } = robotOf({ template: "support", context: { company: "Acme" }, systemPrompt: "Sign as Bob." });
		await robot.run("Hello");
		expect(systemOf(model)).toBe("Use plain words.\n\nBe kind at Acme.\n\nRefunds: 30 days.\n\nYou work for Acme.\n\nSign as Bob.");
		expect(robot.systemPrompt).toBe("Sign as Bob.");
	});

	it("has what matched Agent Skills say before it, whose text is no template", async () => {
		const directory = prompts({ "support.md": "---\nskills: [tone]\n---\nSupport.", "tone.md": "Kind." });
		const { robot, model } = robotOf({ template: "support", skills: catalogOf(directory, "greeter") });
		await robot.run("Greet a person by name");
		expect(systemOf(model)).toBe("Agent skill greeter {{x}}\n\nKind.\n\nSupport.");
	});

	it("takes values of a run over the robot's, for that run alone", async () => {
		prompts({ "support.md": "---\nparameters: {company: , plan: free}\n---\n{{company}} {{plan}} {{#topic}}on {{topic}}{{/topic}}" });
		const { robot, model } = robotOf({ template: "support", context: { company: "Acme" } });
		await robot.run("a", { context: { plan: "paid", topic: "{{company}}" } });
		await robot.run("b");
		await robot.stream("c", { context: { company: "Other" } }).result;
		expect([0, 1, 2].map((call) => systemOf(model, call))).toEqual(["Acme paid on {{company}}", "Acme free", "Other free"]);
		expect(robot.messages).toHaveLength(6);
	});

	it("is none where the template comes to nothing", async () => {
		prompts({ "empty.md": "---\ntemperature: 0.5\n---\n{{#x}}y{{/x}}" });
		const { robot, model } = robotOf({ template: "empty" });
		await robot.run("a");
		expect(model.calls[0]?.prompt.map(({ role }) => role)).toEqual(["user"]);
	});

	it("is that of the files as they were when the robot was made", async () => {
		const directory = prompts({ "support.md": "---\nskills: [tone]\n---\nOld.", "tone.md": "Old tone." });
		const { robot, model } = robotOf({ template: "support" });
		directory.write("support.md", "New.");
		directory.write("tone.md", "New tone.");
		await robot.run("a");
		expect(systemOf(model)).toBe("Old tone.\n\nOld.");
	});
});

describe("what is missing", () => {
	it("is named, all of it, by the run, which asks no model and leaves no trace", async () => {
		prompts({ "support.md": "---\nparameters: {company: , plan: }\n---\n{{company}}{{plan}}{{user}}" });
		const { robot, model } = robotOf({ template: "support", context: { plan: undefined } });
		const events: string[] = [];
		robot.on("event", ({ event }) => events.push(event));
		expect(await errorOf(() => robot.run("a"))).toContain('Missing values: the template "support" needs company, plan, user.');
		expect(await errorOf(() => robot.run("a", { context: { company: "Acme", user: 1 } }))).toContain('"support" needs plan.');
		expect(model.calls).toEqual([]);
		expect(robot.messages).toEqual([]);
		expect(events).toEqual(["run.started", "run.failed", "stream.ended", "run.started", "run.failed", "stream.ended"]);
		expect((await robot.run("a", { context: { company: "Acme", plan: "p", user: 1 } })).lastTextContent).toBe("fine");
	});

	it("is of no consequence to a run that was aborted before its skills were known", async () => {
		const directory = prompts({ "support.md": "---\nskills: [greeter]\nparameters: {company: }\n---\n{{company}}" });
		const { robot, model } = robotOf({ template: "support", skills: catalogOf(directory, "greeter") });
		expect((await robot.run("a", { signal: AbortSignal.abort() })).stopReason).toBe("aborted");
		expect(model.calls).toEqual([]);
	});

	it("of a template itself is found when the robot is made", async () => {
		prompts({ "support.md": "Hello" });
		expect(await errorOf(() => robotOf({ template: "suport" }))).toContain('Did you mean "support"?');
		expect(await errorOf(() => robotOf({ template: "../support" }))).toContain("cannot be the id of a template");
		expect(await errorOf(() => robotOf({ template: 5 as never }))).toContain("5 cannot be the id");
	});

	it("of a skill is named by the run, with what there is in both places", async () => {
		const directory = prompts({ "support.md": "---\nskills: [ton]\n---\nHello", "tone.md": "Kind." });
		const { robot } = robotOf({ template: "support", skills: catalogOf(directory, "greeter") });
		expect(await errorOf(() => robot.run("a"))).toBe(
			`There is no skill "ton" in the robot's catalog, and no template of that name in ${directory.path}. Did you mean "tone"? Known: greeter, support, tone.`,
		);
	});
});

describe("values that nothing takes", () => {
	it("are named, of the robot when it is made and of a run by it", async () => {
		prompts({ "support.md": "---\nparameters: {company: Acme}\n---\n{{company}}" });
		expect(await errorOf(() => robotOf({ template: "support", context: { compnay: "x" } }))).toContain('Did you mean "company"?');
		expect(await errorOf(() => robotOf({ template: "support", context: () => ({}) } as never))).toContain("context must be an object");
		expect(await errorOf(() => robotOf({ systemPrompt: "Hi {{name}}", context: { name: "x" } }))).toContain("there is no template");
		const { robot } = robotOf({ template: "support" });
		expect(await errorOf(() => robot.run("a", { context: { other: 1 } }))).toContain(
			'context has "other", which the template "support" does not take',
		);
		expect(await errorOf(() => robotOf({}).robot.run("a", { context: { other: 1 } }))).toContain("there is no template");
	});
});

describe("model keys of front matter", () => {
	const settings = [
		"temperature: 0.1",
		"top_p: 0.2",
		"top_k: 3",
		"max_tokens: 44",
		"presence_penalty: 0.5",
		"frequency_penalty: 0.6",
		"stop: [END, STOP]",
		"seed: 7",
	].join("\n");
	const asked = {
		...{ temperature: 0.1, topP: 0.2, topK: 3, maxOutputTokens: 44, presencePenalty: 0.5, frequencyPenalty: 0.6, seed: 7 },
		stopSequences: ["END", "STOP"],
	};

	it("all take effect", async () => {
		prompts({ "support.md": `---\n${settings}\n---\nHello` });
		const { robot, model } = robotOf({ template: "support" });
		await robot.run("a");
		expect(model.calls[0]).toMatchObject(asked);
	});

	it("count less than the robot's config and its own options, and more than those of template skills", async () => {
		prompts({
			"support.md": `---\nskills: [tone]\n${settings}\n---\nHello`,
			"tone.md": "---\nskills: [plain]\ntemperature: 9\ntop_k: 9\n---\nKind.",
			"plain.md": "---\ntemperature: 8\nmetadata: {by: Ada}\n---\nPlain.",
		});
		const { robot, model } = robotOf({ template: "support", config: { topP: 0.9, topK: undefined as never }, temperature: 0.8 });
		await robot.run("a");
		expect(model.calls[0]).toMatchObject({ ...asked, topP: 0.9, temperature: 0.8 });
		const alone = robotOf({ skills: ["tone"] });
		await alone.robot.run("a");
		expect(alone.model.calls[0]).toMatchObject({ temperature: 9, topK: 9 });
	});

	it("name the model where the robot has none, before the configuration does", async () => {
		prompts({ "support.md": "---\nmodel: offline\n---\nHello" });
		configure({ model: "anthropic/never" });
		const robot = new Robot({ name: "bob", template: "support" });
		const models: unknown[] = [];
		robot.on("event", ({ event, data }) => event === "run.started" && models.push((data as { model?: unknown }).model));
		expect((await robot.run("Hello")).lastTextContent).toMatch(/^offline: no language model was used/);
		expect(models).toEqual(["offline"]);
	});

	it("that name a model nobody knows are found when the robot is made", async () => {
		prompts({ "support.md": "---\nmodel: antropic/x\n---\nHello" });
		expect(await errorOf(() => new Robot({ name: "bob", template: "support" }))).toContain('Did you mean "anthropic"?');
	});

	it("describe the robot, where it does not itself", () => {
		prompts({ "support.md": "---\ndescription: Answers customers.\n---\nHello" });
		expect(robotOf({ template: "support" }).robot.description).toBe("Answers customers.");
		expect(robotOf({ template: "support", description: "Own." }).robot.description).toBe("Own.");
	});
});

describe("a name of an Agent Skill and of a template", () => {
	it("means the Agent Skill: neither text nor keys of the template count", async () => {
		const directory = prompts({
			"support.md": "---\nskills: [greeter, other]\n---\nSupport.",
			"greeter.md": "---\nskills: [never]\ntemperature: 9\nmodel: offline\nparameters: {x: }\n---\nTemplate {{x}}.",
			"never.md": "Never.",
			"other.md": "Other.",
		});
		configure({ model: "anthropic/never" });
		const model = new ScriptedModel(["a", "b"]);
		const robot = new Robot({ name: "bob", model, template: "support", skills: catalogOf(directory, "greeter") });
		await robot.run("Greet a person by name");
		await robot.run("zzz qqq");
		expect([0, 1].map((call) => systemOf(model, call))).toEqual(["Agent skill greeter {{x}}\n\nOther.\n\nSupport.", "Other.\n\nSupport."]);
		expect(model.calls[0]).not.toHaveProperty("temperature");
	});

	it("leaves open which model it will be, and the run does not say so before it is known", async () => {
		const directory = prompts({ "support.md": "---\nskills: [greeter]\n---\nS.", "greeter.md": "---\nmodel: openai/never\n---\nG." });
		configure({ model: "offline" });
		const robot = new Robot({ name: "bob", template: "support", skills: catalogOf(directory, "greeter") });
		const started: unknown[] = [];
		robot.on("event", ({ event, data }) => event === "run.started" && started.push("model" in data));
		expect((await robot.run("zzz qqq")).lastTextContent).toMatch(/^offline/);
		expect(started).toEqual([false]);
	});
});

describe("withTemplate()", () => {
	it("gives the robot another template from the next run on, with its values and keys, and answers with the robot", async () => {
		prompts({
			"one.md": "---\nskills: [tone]\ntemperature: 0.1\ndescription: One.\nparameters: {x: }\n---\nOne {{x}}.",
			"two.md": "---\ntop_p: 0.2\nparameters: {y: }\n---\nTwo {{y}}.",
			"tone.md": "Kind.",
		});
		const { robot, model } = robotOf({ template: "one", context: { x: 1 }, systemPrompt: "Own." });
		await robot.run("a");
		expect(robot.withTemplate("two", { y: 2 })).toBe(robot);
		await robot.run("b");
		expect([0, 1].map((call) => systemOf(model, call))).toEqual(["Kind.\n\nOne 1.\n\nOwn.", "Two 2.\n\nOwn."]);
		expect(model.calls[1]).toMatchObject({ topP: 0.2 });
		expect(model.calls[1]).not.toHaveProperty("temperature");
		expect(robot.description).toBeUndefined();
		expect(robot.messages).toHaveLength(4);
		robot.withTemplate("two");
		expect(await errorOf(() => robot.run("c"))).toContain('"two" needs y.');
	});

	it("that cannot be leaves the robot as it was", async () => {
		prompts({ "one.md": "One.", "bad.md": "{{" });
		const { robot, model } = robotOf({ template: "one" });
		expect(await errorOf(() => robot.withTemplate("bad"))).toContain('The template "bad" cannot be used');
		expect(await errorOf(() => robot.withTemplate("one", { x: 1 }))).toContain('context has "x"');
		await robot.run("a");
		expect(systemOf(model)).toBe("One.");
	});

	it("brings skills to a robot that had none, and another model", async () => {
		prompts({
			"one.md": "---\nmodel: offline\n---\nOne.",
			"two.md": "---\nmodel: anthropic/x\n---\nTwo.",
			"three.md": "---\nskills: [nobodys-skill]\n---\n",
		});
		const robot = new Robot({ name: "bob", template: "one" });
		await robot.run("a");
		await expect(robot.withTemplate("two").run("a")).rejects.toThrow("npm install @ai-sdk/anthropic");
		expect((await robot.withTemplate("one").run("a")).lastTextContent).toMatch(/^offline/);
		configure({ model: "offline" });
		expect(await errorOf(() => robot.withTemplate("three").run("a"))).toContain('There is no skill "nobodys-skill"');
	});

	it("does not touch a run that goes on", async () => {
		prompts({
			"one.md": "---\nmodel: offline\nskills: [tone]\n---\nOne.",
			"two.md": "---\nmodel: openai/never\n---\nTwo.",
			"tone.md": "Kind.",
		});
		const robot = new Robot({ name: "bob", template: "one", skills: new AgentSkillCatalog("/nonexistent") });
		const going = robot.run("Hello");
		robot.withTemplate("two");
		expect((await going).lastTextContent).toMatch(/^offline/);
	});
});
