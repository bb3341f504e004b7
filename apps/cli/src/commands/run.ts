import { Robot, type RobotResult } from "@robot-lab/core";
import type { Command } from "commander";
import { type ApprovalFlags, addApprovalOptions, tellUnasked } from "../approval.js";
import { openCatalog } from "../catalog.js";
import type { Context } from "../context.js";
import { userEmbeddingCache } from "../embedding-cache.js";
import { EXIT, WorkError } from "../exit.js";
import { addGrantOption, type GrantOption, grantSkills } from "../grants.js";
import { addLockOptions, decisionFor, type LockFlags } from "../lock.js";
import { inputFor, readMessage } from "../message.js";
import { chooseModel } from "../model.js";
import {
	addCeilingOptions,
	addJsonOption,
	addSkillsOption,
	applyCeiling,
	type CeilingOptions,
	type JsonOption,
	type SkillsOption,
} from "../options.js";
import { type RunReport, reportRun } from "../run-report.js";

/** A person who waits for a model anyway would rather have the answer of the embedder that they chose; a process of one message loads it first. */
const EMBEDDER_TIMEOUT_MS = 10_000;

interface RunOptions extends SkillsOption, JsonOption, CeilingOptions, ApprovalFlags, LockFlags, GrantOption {
	readonly model?: string;
	readonly strict?: boolean;
}

export function addRunCommand(program: Command, context: Context): void {
	const command = program
		.command("run")
		.argument("[message]", "what the robot is to do; - reads it from standard input")
		.description("one robot, one message: finds the skills that fit, runs their scripts confined, answers")
		.option(
			"--model <provider/id>",
			"the language model, e.g. anthropic/claude-sonnet-4-5, or offline (default: the configured one, else offline)",
		)
		.option("--strict", "exit with 1 when no skill fits or a tool call fails");
	addGrantOption(addLockOptions(addApprovalOptions(addSkillsOption(command))), "named");
	addCeilingOptions(addJsonOption(command, "print the run's events as JSON lines")).action(
		(message: string | undefined, options: RunOptions) => runRobot(message, options, context),
	);
}

async function runRobot(
	argument: string | undefined,
	options: RunOptions,
	{ terminal, interrupt, exitWith, expectWarning }: Context,
): Promise<void> {
	applyCeiling(options);
	const choice = chooseModel(options.model);
	const skills = await openCatalog(options.skills);
	const granted = await grantSkills(skills, options, terminal);
	const approval = await decisionFor(options, terminal);
	await tellUnasked(() => skills.all(), options, terminal);
	const cache = userEmbeddingCache();
	const robot = new Robot({
		name: "robot-lab",
		model: choice.model,
		skills,
		...(cache && { matching: { cache, timeoutMs: EMBEDDER_TIMEOUT_MS } }),
		...(approval && { approval }),
	});
	const message = await readMessage(argument, inputFor(argument, interrupt));
	// Each call's own line says how it was confined; in JSON lines it is one word that is easily missed.
	if (!options.json) expectWarning("ROBOT_LAB_SANDBOX_UNCONFINED");
	const report = await reportRun({ choice, skills, granted, terminal, json: options.json === true });
	robot.on("event", report.onEvent);
	try {
		const result = await robot.run(message, { signal: interrupt.signal });
		exitWith(interrupt.exitCode ?? verdict(result, report, options.strict === true));
	} finally {
		// an answer is all that was asked for: what is still being embedded goes on with the next command
		await robot.disconnect();
		report.end();
	}
}

/** The exit code of a run that came to an end. Throws what it lacks. */
function verdict(result: RobotResult, report: RunReport, strict: boolean): number {
	if (!result.stopped) throw new WorkError(`The run ended early (${result.stopReason}); the answer may be cut.`);
	if (strict && report.matchedSkills === 0)
		throw new WorkError("No skill fits the message (--strict). robot-lab skills list shows what there is.");
	if (strict && report.failedCalls > 0) throw new WorkError(`${report.failedCalls} of ${report.endedCalls} tool calls failed (--strict).`);
	return EXIT.done;
}
