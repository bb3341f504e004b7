import { Sandbox } from "@robot-lab/sandbox";
import type { Command } from "commander";
import { openCatalog } from "../catalog.js";
import type { Context } from "../context.js";
import { addGrantOption, type GrantOption, grantedSkill } from "../grants.js";
import { applyCeiling } from "../options.js";
import { jsonDocument } from "../render/json.js";
import { explanationRecord, renderExplanation } from "../render/sandbox-explain.js";
import { addSandboxQuestionOptions, orUnavailable, type SandboxQuestionOptions } from "../sandbox-question.js";
import { chooseScript } from "../script-choice.js";
import { grantedInstead } from "../skill-view.js";

interface ExplainOptions extends SandboxQuestionOptions, GrantOption {
	readonly can?: readonly string[];
}

export function addSandboxExplainCommand(sandbox: Command, context: Context): void {
	const command = sandbox
		.command("explain")
		.argument("<skill>", "the skill")
		.description("what a skill's scripts are given, and whether and why they may do something")
		.option(
			"--can <question...>",
			'whether a script may, e.g. "read ~/.ssh/id_ed25519", "write ./out", "connect example.com:443"; what nobody understands lists all questions',
		);
	addGrantOption(addSandboxQuestionOptions(command, "this one"), "one").action((name: string, options: ExplainOptions) =>
		explainSkill(name, options, context),
	);
}

async function explainSkill(name: string, options: ExplainOptions, { terminal }: Context): Promise<void> {
	applyCeiling(options);
	const { skill, granted } = await grantedSkill(await openCatalog(options.skills), name, options, terminal);
	const script = await chooseScript(skill, options.script);
	const { capabilities, path: skillDir } = skill;
	const explanation = await orUnavailable(() =>
		Sandbox.explain({
			capabilities,
			skillDir,
			questions: options.can ?? [],
			...(script !== undefined && { command: script.command }),
			...(options.platform !== undefined && { platform: options.platform }),
		}),
	);
	const view = {
		skill,
		script: script?.file,
		explanation,
		diagnostics: await skill.diagnostics(),
		enabled: options.sandbox,
		instead: grantedInstead(skill, granted),
	};
	const lines = options.json ? undefined : renderExplanation(view, terminal.outStyle);
	terminal.out(lines === undefined ? jsonDocument(explanationRecord(view)) : `${lines.join("\n")}\n`);
}
