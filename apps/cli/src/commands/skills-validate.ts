import { config } from "@robot-lab/core";
import type { Command } from "commander";
import type { Context } from "../context.js";
import { EXIT } from "../exit.js";
import { addJsonOption, type JsonOption } from "../options.js";
import { CORE_WORDS } from "../render/core-words.js";
import { jsonDocument } from "../render/json.js";
import { printableLine } from "../render/printable.js";
import { renderValidation, validationSummary } from "../render/validation.js";
import { validatePaths } from "../validated-paths.js";

interface ValidateOptions extends JsonOption {
	readonly strict?: true;
}

export function addSkillsValidateCommand(skills: Command, context: Context): void {
	const command = skills
		.command("validate")
		.argument("<path...>", "a SKILL.md, the folder of a skill, or a folder of skills")
		.description("hold skills to the Agent Skills standard: file, line, rule and what to do; exit with 1 on errors")
		.option("--strict", "to the letter of the standard (default: as the configuration says, which is lenient)");
	addJsonOption(command, "print one JSON document").action((paths: readonly string[], options: ValidateOptions) =>
		validate(paths, options, context),
	);
}

async function validate(paths: readonly string[], { strict, json }: ValidateOptions, { terminal, exitWith }: Context): Promise<void> {
	const validation = strict === true ? "strict" : config().skills.validation;
	const { bundles, diagnostics } = await validatePaths(paths, validation);
	const all = [...diagnostics, ...bundles.flatMap((bundle) => bundle.diagnostics)];
	if (json === true) terminal.out(jsonDocument({ validation, bundles, diagnostics }));
	else {
		const lines = [
			...renderValidation(all, terminal.outStyle, process.cwd()),
			...bundles.flatMap(({ path, trust }) =>
				trust === undefined ? [] : [`${printableLine(path)}: ${terminal.outStyle.warning("note")} ${CORE_WORDS}`],
			),
			validationSummary(bundles.length, all, validation, terminal.outStyle),
		];
		terminal.out(`${lines.join("\n")}\n`);
	}
	exitWith(all.some(({ severity }) => severity === "error") ? EXIT.failed : EXIT.done);
}
