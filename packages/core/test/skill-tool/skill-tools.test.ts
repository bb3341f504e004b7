import { describe, expect, it } from "vitest";
import { AgentSkill } from "../../src/skill/agent-skill.js";
import { skillTools } from "../../src/skill-tool/skill-tools.js";
import { temporarySkill } from "../../src/testing/temporary-skill.js";
import { runTool } from "../../src/tool/run-tool.js";

const HELLO = "#!/bin/bash\n# Says hello.\necho hello\n";

async function loaded() {
	const bundle = await temporarySkill({
		"SKILL.md": "---\nname: greeter\ndescription: Greet a person.\n---\n",
		"scripts/hello.sh": HELLO,
		"scripts/hello.bash": HELLO,
	});
	return { skill: await AgentSkill.load(bundle.file("SKILL.md")), [Symbol.asyncDispose]: () => bundle[Symbol.asyncDispose]() };
}

describe("skillTools()", () => {
	it("gives each script by the name that a model is shown, another where one is taken", async () => {
		await using bundle = await loaded();
		const names = [...(await skillTools(bundle.skill)).keys()];
		expect(names).toEqual(["greeter__hello_bash", "greeter__hello_sh"]);
		const [first, second] = (await skillTools(bundle.skill, { taken: new Set(["greeter__hello_bash"]) })).keys();
		expect([first, second]).toEqual([expect.stringMatching(/^greeter__hello_bash_[0-9a-f]{8}$/), "greeter__hello_sh"]);
	});

	it("asks before a script runs where somebody is to be asked, and runs nothing that was denied", async () => {
		await using bundle = await loaded();
		const tools = await skillTools(bundle.skill, { approval: { approve: async () => "deny" } });
		for (const tool of tools.values())
			expect(await runTool(tool, {})).toMatchObject({ isError: true, text: expect.stringContaining("not_approved") });
	});

	it("refuses options that are mistyped: they would let scripts run unasked", async () => {
		await using bundle = await loaded();
		await expect(skillTools(bundle.skill, { approve: async () => "deny" } as never)).rejects.toThrow("skillTools()");
	});
});
