import { cp, mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { ConfigurationError } from "../../src/errors/configuration-error.js";
import { ScriptedModel } from "../../src/testing/scripted-model.js";
import { temporarySkill } from "../../src/testing/temporary-skill.js";

/** The process's catalog is that of the home directory: these tests load the modules anew under a home of their own. */
const developersHome = process.env.HOME;
let home: string;
let Robot: typeof import("../../src/robot/robot.js").Robot;

beforeAll(async () => {
	home = await realpath(await mkdtemp(join(tmpdir(), "robot-lab-home-")));
	for (const [name, description] of [
		["word-counter", "Count the words of a text file."],
		["greeter", "Greet a person by name."],
	] as const) {
		await using bundle = await temporarySkill({
			"SKILL.md": `---\nname: ${name}\ndescription: ${description}\n---\n\nUse ${name}.\n`,
			"scripts/run.sh": "#!/bin/bash\necho hi\n",
		});
		await mkdir(join(home, ".prompts/skills"), { recursive: true });
		await cp(bundle.root, join(home, ".prompts/skills"), { recursive: true });
	}
	process.env.HOME = home;
	vi.resetModules();
	({ Robot } = await import("../../src/robot/robot.js"));
});

afterAll(async () => {
	if (developersHome === undefined) delete process.env.HOME;
	else process.env.HOME = developersHome;
	await rm(home, { recursive: true, force: true });
});

const toolsOf = (model: ScriptedModel, call: number): string[] => model.calls[call]?.tools?.map(({ name }) => name) ?? [];

describe("a robot whose skills come from the process's catalog", () => {
	it('chooses among all that catalog knows with "auto"', async () => {
		const model = new ScriptedModel(["a", "b", "c"]);
		const robot = new Robot({ name: "bob", model, skills: "auto" });
		for (const message of ["Count the words of the file", "Greet the person", "zzz qqq"]) await robot.run(message);
		expect([0, 1, 2].map((call) => toolsOf(model, call))).toEqual([["word-counter__run"], ["greeter__run"], []]);
	});

	it("chooses among the skills of the names it is given, and no others", async () => {
		const model = new ScriptedModel(["a", "b"]);
		const robot = new Robot({ name: "bob", model, skills: ["greeter", "greeter"] });
		for (const message of ["Count the words of the file", "Greet the person"]) await robot.run(message);
		expect([0, 1].map((call) => toolsOf(model, call))).toEqual([[], ["greeter__run"]]);
	});

	it("names a skill nobody knows, what is near it and what there is, and asks no model", async () => {
		const model = new ScriptedModel(["never"]);
		const error = await new Robot({ name: "bob", model, skills: ["greter"] }).run("x").catch((reason: unknown) => reason);
		expect(ConfigurationError.isInstance(error)).toBe(true);
		expect((error as Error).message).toBe(
			`There is no skill "greter" in ${home}/.prompts/skills. Did you mean "greeter"? Known: greeter, word-counter.`,
		);
		expect(model.calls).toEqual([]);
	});

	it("has no skills with an empty list", async () => {
		const model = new ScriptedModel(["fine"]);
		expect((await new Robot({ name: "bob", model, skills: [] }).run("Greet the person")).lastTextContent).toBe("fine");
		expect(toolsOf(model, 0)).toEqual([]);
	});
});
