import { join, relative } from "node:path";
import {
	type AgentSkill,
	type ApprovalOptions,
	approveScript,
	inspectScript,
	refusedResult,
	type ScriptInput,
	type ScriptResult,
	ScriptTool,
} from "@robot-lab/core";
import type { Command } from "commander";
import { type ApprovalFlags, addApprovalOptions, tellUnasked } from "../approval.js";
import { openCatalog, tellUntrusted } from "../catalog.js";
import type { Context } from "../context.js";
import { EXIT } from "../exit.js";
import { addGrantOption, type GrantOption, grantedSkill } from "../grants.js";
import { addLockOptions, decisionFor, type LockFlags } from "../lock.js";
import {
	addCeilingOptions,
	addJsonOption,
	addSkillsOption,
	applyCeiling,
	type CeilingOptions,
	type JsonOption,
	type SkillsOption,
} from "../options.js";
import { jsonDocument } from "../render/json.js";
import { printable } from "../render/printable.js";
import { renderScriptEnding } from "../render/script-ending.js";
import { type RunnableScript, requireScript } from "../script-choice.js";
import { collectParam, type Params, scriptInput } from "../script-params.js";

interface RunScriptOptions extends SkillsOption, JsonOption, CeilingOptions, ApprovalFlags, LockFlags, GrantOption {
	readonly param?: Params;
}

export function addSkillsRunCommand(skills: Command, context: Context): void {
	const command = skills
		.command("run")
		.argument("<name>", "the skill")
		.argument("<script>", "its script, by file name or tool name")
		.argument("[args...]", "what the script is given; before the options, or behind --")
		.option("--param <name=value>", "a parameter that the script declares; again for a list", collectParam)
		.description("run one script as a robot would, confined to what the skill is given");
	addLockOptions(addApprovalOptions(command));
	addGrantOption(command, "one");
	addCeilingOptions(addJsonOption(addSkillsOption(command), "print the result as one JSON document")).action(
		(name: string, script: string, args: readonly string[], options: RunScriptOptions) =>
			runSkillScript({ name, script, args }, options, context),
	);
}

interface Request {
	readonly name: string;
	readonly script: string;
	readonly args: readonly string[];
}

async function runSkillScript({ name, script, args }: Request, options: RunScriptOptions, context: Context): Promise<void> {
	applyCeiling(options);
	const catalog = await openCatalog(options.skills);
	await tellUntrusted(catalog, context.terminal);
	const { skill } = await grantedSkill(catalog, name, options, context.terminal);
	const found = await requireScript(skill, script);
	const input = scriptInput(found, args, options.param);
	const approval = await decisionFor(options, context.terminal);
	await tellUnasked(async () => [skill], options, context.terminal);
	const result = await (approval === undefined
		? runFound({ command: found.command, skillDir: skill.path }, skill, input, options.json === true, context)
		: runApproved(
				found,
				skill,
				{ input, given: options.param && Object.fromEntries(options.param) },
				options.json === true,
				context,
				approval,
			));
	report(result, skill, found, options.json === true, context);
	context.exitWith(result.exitCode === 0 && !result.timedOut && !result.aborted ? EXIT.done : EXIT.failed);
}

interface Called {
	readonly input: ScriptInput;
	/** The parameters, where there are some: what somebody is asked about is what was written. */
	readonly given: object | undefined;
}

/** What was approved is looked at and started where it lies: the skill's path may be a link. */
async function runApproved(
	{ tool, path, file }: RunnableScript,
	skill: AgentSkill,
	{ input, given }: Called,
	json: boolean,
	context: Context,
	approval: ApprovalOptions,
): Promise<ScriptResult> {
	const { refusal, directory } = await approveScript(skill, { tool, input: given ?? input }, approval, {
		signal: context.interrupt.signal,
	});
	if (refusal !== undefined) return refusedResult(refusal.code, refusal.message);
	const script = await inspectScript(join(directory, relative(skill.path, path)));
	if (script.kind === "script") return runFound({ command: script.command, skillDir: directory }, skill, input, json, context);
	const why = script.kind === "other" ? script.reason : script.message;
	return refusedResult("script_unusable", `${JSON.stringify(file)} is no script any more: ${why}. Put the script back.`);
}

function runFound(
	{ command, skillDir }: { readonly command: readonly string[]; readonly skillDir: string },
	skill: AgentSkill,
	{ args, stdin }: ScriptInput,
	json: boolean,
	context: Context,
): Promise<ScriptResult> {
	const { terminal, interrupt } = context;
	return ScriptTool.run([...command, ...args], {
		capabilities: skill.capabilities,
		skillDir,
		...(stdin !== undefined && { stdin }),
		signal: interrupt.signal,
		// Two streams arrive as two; one document holds them as one, in the order written.
		streams: json ? "merged" : "separate",
		...(!json && { onOutput: (chunk, stream) => pass(chunk, stream, terminal) }),
	});
}

/** A program gets what the script wrote; a terminal would obey it, so a person gets it spelt out. */
function pass(chunk: string, stream: "stdout" | "stderr", terminal: Context["terminal"]): void {
	const text = terminal.isScreen[stream] ? printable(chunk) : chunk;
	if (stream === "stderr") terminal.err(text);
	else terminal.out(text);
}

function report(result: ScriptResult, skill: AgentSkill, { file }: RunnableScript, json: boolean, { terminal, interrupt }: Context): void {
	if (json) terminal.out(jsonDocument({ skill: skill.name, script: file, ...result }));
	if (interrupt.exitCode !== undefined) return;
	const ending = renderScriptEnding(file, result);
	if (ending !== undefined) terminal.err(`${terminal.errStyle.bad("robot-lab:")} ${ending}\n`);
}
