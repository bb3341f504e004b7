import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { ApprovalOptions } from "../../src/approval/approval-options.js";
import type { Approve } from "../../src/approval/approval-request.js";
import { AgentSkill } from "../../src/skill/agent-skill.js";
import { type SkillToolsOptions, skillTools } from "../../src/skill-tool/skill-tools.js";
import { EventLog } from "../../src/stream/event-log.js";
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

	it("asks by the name that the model calls, which the log has, too", async () => {
		await using bundle = await loaded();
		const asked: string[] = [];
		const approve: Approve = async ({ tool }) => {
			asked.push(tool);
			return "deny";
		};
		const tools = await skillTools(bundle.skill, { approval: { approve } });
		expect([...tools.values()].map(({ name }) => name)).toEqual([...tools.keys()]);
		const told: string[] = [];
		for (const tool of tools.values()) {
			const log = new EventLog();
			await runTool(tool, {}, { log });
			for (const { event, data } of log.after(0)) if (event === "hitl.requested") told.push(...data.toolCalls.map((call) => call.toolName));
		}
		expect([asked, told]).toEqual([[...tools.keys()], ["greeter__hello_bash", "greeter__hello_sh"]]);
	});

	it("has what scripts say of themselves behind their descriptions, where that is asked for and they may run", async () => {
		await using bundle = await temporarySkill({
			"SKILL.md": "---\nname: greeter\ndescription: Greet a person.\n---\n",
			"scripts/hello.sh": '#!/bin/sh\n# Says hello.\n[ "$1" = --help ] && echo "Usage: hello NAME"\ntouch "$SKILL_DIR/ran"\n',
		});
		const skill = await AgentSkill.load(bundle.file("SKILL.md"));
		const described = async (options: SkillToolsOptions) =>
			[...(await skillTools(skill, options)).values()].map(({ description }) => description);
		const approval: ApprovalOptions = { approve: async () => "deny" };
		expect(await described({})).toEqual(["Says hello."]);
		expect(await described({ helpTexts: {}, approval })).toEqual(["Says hello."]);
		expect(existsSync(bundle.file("ran"))).toBe(false);
		expect(await described({ helpTexts: { timeoutMs: 60_000 } })).toEqual(["Says hello.\n\nUsage: hello NAME"]);
		await expect(skillTools(skill, { helpTexts: { timeout: 1 } as never })).rejects.toThrow("timeout");
	});

	it("refuses options that are mistyped: they would let scripts run unasked", async () => {
		await using bundle = await loaded();
		await expect(skillTools(bundle.skill, { approve: async () => "deny" } as never)).rejects.toThrow("skillTools()");
	});
});
