import { chmod, mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Robot } from "../../src/robot/robot.js";
import type { RobotOptions, SkillMatching } from "../../src/robot/robot-options.js";
import { AgentSkillCatalog } from "../../src/skill/agent-skill-catalog.js";
import type { StreamEvent } from "../../src/stream/stream-event.js";
import { ScriptedModel } from "../../src/testing/scripted-model.js";
import { temporarySkill } from "../../src/testing/temporary-skill.js";
import { createTool } from "../../src/tool/create-tool.js";

const FILES = {
	"counter/SKILL.md":
		"---\nname: counter\ndescription: Count the words of a text file.\n---\n\nCall the script; references/rules.md has the rules.\n",
	"counter/scripts/count.sh": "#!/bin/bash\n# Counts words.\necho counted\n",
	"counter/references/rules.md": "Hyphens part words.",
	"greeter/SKILL.md": "---\nname: greeter\ndescription: Greet a person.\n---\n\nBe warm.\n",
	"greeter/scripts/hello.sh": "#!/bin/bash\n# Says hello.\necho hello\n",
};

let root: string;
let catalog: AgentSkillCatalog;
beforeAll(async () => {
	root = await realpath(await mkdtemp(join(tmpdir(), "robot-lab-activation-")));
	for (const [name, text] of Object.entries(FILES)) {
		const file = join(root, name);
		await mkdir(join(file, ".."), { recursive: true });
		await writeFile(file, text);
		if (name.endsWith(".sh")) await chmod(file, 0o755);
	}
	catalog = new AgentSkillCatalog(root);
});
afterAll(() => rm(root, { recursive: true, force: true }));

const toolsOf = (model: ScriptedModel, call: number): string[] => model.calls[call]?.tools?.map(({ name }) => name) ?? [];
const systemOf = (model: ScriptedModel, call: number): unknown => model.calls[call]?.prompt.find(({ role }) => role === "system")?.content;
const robotOf = (model: ScriptedModel, matching: SkillMatching, more: Partial<RobotOptions> = {}): Robot =>
	new Robot({ name: "bob", model, skills: catalog, matching, ...more });

async function eventsOf(robot: Robot, message: string, options = {}) {
	const events: StreamEvent[] = [];
	using _ = robot.on("event", (event) => events.push(event));
	const result = await robot.run(message, options);
	const told = events.flatMap(({ event, data }) => (event === "metadata.updated" ? [data] : []));
	return { result, told };
}

const COUNT = "Count the words of the text file";

describe("a skill that is loaded on request", () => {
	it("brings its instructions, files and scripts when the model loads it, and the scripts can be called in the next round", async () => {
		const model = new ScriptedModel([
			{ toolCalls: [{ name: "load_skill", args: { name: "counter" } }] },
			{ toolCalls: [{ name: "counter__count" }, { name: "read_skill_file", args: { skill: "counter", path: "references/rules.md" } }] },
			"Done.",
		]);
		const { result, told } = await eventsOf(robotOf(model, { activation: "tool" }), COUNT);
		expect(systemOf(model, 0)).toBeUndefined();
		expect(toolsOf(model, 0)).toEqual(["load_skill", "read_skill_file"]);
		expect(model.calls[0]?.tools?.[0]).toMatchObject({
			description: expect.stringContaining("- counter: Count the words of a text file."),
			inputSchema: { properties: { name: { enum: expect.arrayContaining(["counter"]) } } },
		});
		expect(toolsOf(model, 1)).toEqual(["load_skill", "read_skill_file", "counter__count"]);
		expect(result.toolCalls.map(({ content, isError }) => [content, isError])).toEqual([
			[
				`<skill_content name="counter">\nCall the script; references/rules.md has the rules.\nDirectory of the skill: ${JSON.stringify(join(root, "counter"))}\nTools you have now: counter__count\nFiles of the skill (read_skill_file): references/rules.md\n</skill_content>`,
				false,
			],
			["counted\n", false],
			["Hyphens part words.", false],
		]);
		expect(told.filter(({ type }) => type === "skills" || type === "skill_loaded")).toMatchObject([
			{
				type: "skills",
				matches: expect.arrayContaining([expect.objectContaining({ skill: "counter", tier: "candidate", reason: "on_request" })]),
			},
			{ type: "skill_loaded", skill: "counter", path: join(root, "counter"), tools: ["counter__count"] },
		]);
	});

	it("is gone in the next run, and was added once where it was asked for twice at once", async () => {
		const load = { name: "load_skill", args: { name: "counter" } };
		const model = new ScriptedModel([{ toolCalls: [load, load] }, { toolCalls: [load] }, "a", "b"]);
		const robot = robotOf(model, { activation: "tool" });
		const { result } = await eventsOf(robot, COUNT);
		const texts = result.toolCalls.map(({ content }) => String(content).split("\n")[0]);
		expect(texts).toEqual([
			'<skill_content name="counter">',
			'The skill "counter" is loaded already; its instructions are above.',
			'The skill "counter" is loaded already; its instructions are above.',
		]);
		expect(toolsOf(model, 2)).toEqual(["load_skill", "read_skill_file", "counter__count"]);
		await robot.run(COUNT);
		expect(toolsOf(model, 3)).toEqual(["load_skill", "read_skill_file"]);
	});

	it("cannot be loaded unless it was offered", async () => {
		const model = new ScriptedModel([{ toolCalls: [{ name: "load_skill", args: { name: "greeter; rm" } }] }, "no"]);
		const { result } = await eventsOf(robotOf(model, { activation: "tool", topK: 1, candidates: 0 }), COUNT);
		expect(result.toolCalls[0]).toMatchObject({ isError: true });
		expect(toolsOf(model, 1)).toEqual(["load_skill", "read_skill_file"]);
	});

	it("brings no more tools than the robot may have, and those alone that were chosen", async () => {
		const load = { toolCalls: [{ name: "load_skill", args: { name: "counter" } }] };
		const model = new ScriptedModel([load, "a", load, "b"]);
		const { told } = await eventsOf(robotOf(model, { activation: "tool" }, { maxTools: 2 }), COUNT);
		expect(toolsOf(model, 1)).toEqual(["load_skill", "read_skill_file"]);
		expect(told).toContainEqual(
			expect.objectContaining({ type: "warning", message: "The model is told of 2 of 3 tools (maxTools). Left out: counter__count." }),
		);
		await robotOf(model, { activation: "tool" }).run(COUNT, { tools: ["load_skill"] });
		expect([toolsOf(model, 2), toolsOf(model, 3)]).toEqual([["load_skill"], ["load_skill"]]);
	});

	it("is told of with what of it cannot be used, once it is loaded", async () => {
		await using bundle = await temporarySkill({
			"SKILL.md": "---\nname: lame\ndescription: Limp along slowly.\n---\n",
			"scripts/limp.sh": "echo limping",
		});
		await chmod(bundle.file("scripts/limp.sh"), 0o644);
		const model = new ScriptedModel([{ toolCalls: [{ name: "load_skill", args: { name: "lame" } }] }, "a"]);
		const skills = new AgentSkillCatalog(bundle.root);
		const { told } = await eventsOf(robotOf(model, { activation: "tool" }, { skills }), "Limp along slowly");
		expect(told.map(({ type }) => type)).toEqual(["skills", "warning", "skill_loaded"]);
		expect(told[1]).toMatchObject({ skill: "lame", message: expect.stringMatching(/^limp\.sh is not executable/) });
	});

	it("leaves a robot its own tool of that name, and offers nothing where there are to be no tools", async () => {
		const own = createTool({ name: "load_skill", description: "Its own.", execute: () => "mine" });
		const model = new ScriptedModel([{ toolCalls: [{ name: "load_skill" }] }, "a", "b"]);
		const { result } = await eventsOf(robotOf(model, { activation: "tool" }, { localTools: [own] }), COUNT);
		expect(result.toolCalls[0]?.content).toBe("mine");
		await robotOf(model, { activation: "tool" }).run(COUNT, { tools: "none" });
		expect(toolsOf(model, 2)).toEqual([]);
	});
});

describe("a skill that is asked for", () => {
	it("is active in that run, whatever the message and whatever the activation", async () => {
		const model = new ScriptedModel(["a", "b"]);
		const robot = robotOf(model, { activation: "tool" });
		const { told } = await eventsOf(robot, "What is the capital of France?", { skills: ["greeter"] });
		expect([systemOf(model, 0), toolsOf(model, 0)]).toEqual(["Be warm.", ["greeter__hello"]]);
		expect(told[0]).toMatchObject({ type: "skills", matches: [{ skill: "greeter", tier: "active", reason: "named" }] });
		await robot.run("What is the capital of France?");
		expect([systemOf(model, 1), toolsOf(model, 1)]).toEqual([undefined, []]);
	});

	it("is there when matching fails", async () => {
		const embedder = { id: "down", embed: async () => Promise.reject(new Error("no route")) };
		const model = new ScriptedModel("a");
		await robotOf(model, { embedder }).run("x", { skills: ["greeter"] });
		expect(systemOf(model, 0)).toBe("Be warm.");
	});

	it.each([
		[["greter"], /The robot has no skill "greter"\. Did you mean "?greeter"?\? It has: counter, greeter\./],
		["greeter", /run\(\) needs names of skills as skills, got "greeter"\. For one write skills: \["name"\]\./],
		[[7], /run\(\) needs names of skills as skills/],
	])("is a mistake of the caller where it is %j, and no model is asked", async (skills, message) => {
		const model = new ScriptedModel("never");
		await expect(robotOf(model, {}).run("x", { skills: skills as never })).rejects.toThrow(message);
		expect(model.calls).toHaveLength(0);
	});

	it("is a mistake of the caller where the robot has no skills", async () => {
		const robot = new Robot({ name: "bob", model: new ScriptedModel("never") });
		await expect(robot.run("x", { skills: ["greeter"] })).rejects.toThrow('The robot has no skill "greeter". It has none.');
	});
});

describe("a message that begins with a skill's name", () => {
	it("activates it, and stays the message that it is", async () => {
		const model = new ScriptedModel("a");
		const { told } = await eventsOf(robotOf(model, { activation: "tool" }), "/greeter What is the capital of France?");
		expect([systemOf(model, 0), toolsOf(model, 0)]).toEqual(["Be warm.", ["greeter__hello"]]);
		expect(told[0]).toMatchObject({ matches: [{ skill: "greeter", reason: "named" }] });
		expect(model.calls[0]?.prompt.at(-1)?.content).toEqual([{ type: "text", text: "/greeter What is the capital of France?" }]);
	});

	it("that is mistyped is text, and whoever wrote it is told what is near", async () => {
		const model = new ScriptedModel("a");
		const { told } = await eventsOf(robotOf(model, {}), "/greter Anna");
		expect(told[0]).toMatchObject({
			type: "warning",
			message: "/greter is no skill of this robot and is read as text. Did you mean greeter?",
		});
	});
});

describe("a skill that may fit", () => {
	/** As sure of the counter as it is told, and of nothing else. */
	const sureOf = (score: number) => ({
		id: `sure-${score}`,
		calibration: { bias: -10, score: 20, margin: 0, activate: 0.9, offer: 0.3 },
		embed: async (texts: readonly string[]) =>
			texts.map((text) => (text === COUNT ? [1, 0, 0] : text.startsWith("counter") ? [score, Math.sqrt(1 - score ** 2), 0] : [0, 0, 1])),
	});

	it.each([
		[0.9, "both", ["Call the script; references/rules.md has the rules.", ["counter__count", "read_skill_file"]]],
		[0.5, "both", [undefined, ["load_skill", "read_skill_file"]]],
		[0.1, "both", [undefined, []]],
		[0.5, "prepend", [undefined, []]],
		[0.9, "tool", [undefined, ["load_skill", "read_skill_file"]]],
	] as const)("with a cosine of %f and activation %s reaches the model as it should", async (score, activation, expected) => {
		const model = new ScriptedModel("a");
		await robotOf(model, { embedder: sureOf(score), activation }).run(COUNT);
		expect([systemOf(model, 0), toolsOf(model, 0)]).toEqual(expected);
	});
});

describe("a robot that asks before scripts run", () => {
	it("runs none that was denied, of skills in the prompt and of those that are loaded", async () => {
		for (const activation of ["both", "tool"] as const) {
			const asked: string[] = [];
			const approval = {
				store: join(root, "store"),
				approve: async ({ tool, skill }: { readonly tool: string; readonly skill: string }) => {
					asked.push(`${skill} ${tool}`);
					return { deny: "not today" };
				},
			};
			const load = activation === "tool" ? [{ toolCalls: [{ name: "load_skill", args: { name: "counter" } }] }] : [];
			const model = new ScriptedModel([...load, { toolCalls: [{ name: "counter__count" }] }, "a"]);
			const { result } = await eventsOf(robotOf(model, { activation }, { approval }), COUNT);
			expect(asked).toEqual(["counter counter__count"]);
			expect(result.toolCalls.at(-1)).toMatchObject({
				isError: true,
				content: expect.stringMatching(/^Error \(not run: not_approved\): .*not today/),
			});
		}
	});

	it("spawns robots that ask as well", async () => {
		const asked: string[] = [];
		const approval = {
			store: join(root, "store"),
			approve: async ({ skill }: { readonly skill: string }) => {
				asked.push(skill);
				return "deny" as const;
			},
		};
		const model = new ScriptedModel([{ toolCalls: [{ name: "counter__count" }] }, "a"]);
		const child = robotOf(new ScriptedModel("never"), {}, { approval }).spawn({ model, skills: catalog });
		expect((await child.run(COUNT)).toolCalls[0]?.content).toContain("not_approved");
		expect(asked).toEqual(["counter"]);
	});

	it.each([[{}], [{ approve: "yes" }], [{ approve: () => "once", ask: true }]])("refuses %j when it is made", (approval) => {
		expect(() => robotOf(new ScriptedModel("a"), {}, { approval: approval as never })).toThrow("new Robot(), approval,");
	});
});

describe("instructions that are long", () => {
	it("stay out of the prompt beyond maxBytes, and can be loaded", async () => {
		const model = new ScriptedModel([{ toolCalls: [{ name: "load_skill", args: { name: "counter" } }] }, "a"]);
		const { result, told } = await eventsOf(robotOf(model, { maxBytes: 10 }), COUNT);
		expect(systemOf(model, 0)).toBeUndefined();
		expect(told[0]).toMatchObject({
			matches: expect.arrayContaining([expect.objectContaining({ skill: "counter", reason: "over_budget" })]),
		});
		expect(result.toolCalls[0]?.content).toContain("Call the script");
	});
});
