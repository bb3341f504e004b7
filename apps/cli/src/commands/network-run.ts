import { EventLog, type NetworkResult, type RobotResult } from "@robot-lab/core";
import { type Command, InvalidArgumentError } from "commander";
import { type ApprovalFlags, addApprovalOptions, tellUnasked } from "../approval.js";
import type { Context } from "../context.js";
import { EXIT, WorkError } from "../exit.js";
import { addLockOptions, decisionFor, type LockFlags } from "../lock.js";
import { inputFor, readMessage } from "../message.js";
import { addNetworkFileOptions, type NetworkFileOptions, openNetwork } from "../network-file.js";
import { reportNetwork } from "../network-report.js";
import { addCeilingOptions, addJsonOption, applyCeiling, type CeilingOptions, type JsonOption } from "../options.js";
import { printableLine } from "../render/printable.js";

interface RunOptions extends NetworkFileOptions, JsonOption, CeilingOptions, ApprovalFlags, LockFlags {
	readonly context?: ReadonlyMap<string, string>;
}

export function addNetworkRunCommand(network: Command, context: Context): void {
	const command = network
		.command("run")
		.argument("<file>", "the network, a YAML file")
		.argument("[message]", "what the network is to do; - reads it from standard input")
		.description("one network, one message: each task runs as soon as what it waits for has ended")
		.option("--model <provider/id>", "the language model of robots that name none (default: the configured one, else offline)")
		.option("--context <name=value>", "a value for {{context.name}} in the file's texts; may be given again", collectValues);
	addLockOptions(addApprovalOptions(addNetworkFileOptions(command)));
	addCeilingOptions(addJsonOption(command, "print the run's events as JSON lines, and its result as the last")).action(
		(file: string, message: string | undefined, options: RunOptions) => runNetwork(file, message, options, context),
	);
}

async function runNetwork(
	file: string,
	argument: string | undefined,
	options: RunOptions,
	{ terminal, interrupt, exitWith, expectWarning }: Context,
): Promise<void> {
	applyCeiling(options);
	const values = options.context ?? new Map<string, string>();
	const approval = await decisionFor(options, terminal);
	const checks = { contextNames: [...values.keys()], importModels: true, ...(approval && { approval }) };
	const { network, choice, skills } = await openNetwork(file, options, checks);
	await tellUnasked(() => skills.all(), options, terminal);
	const message = await readMessage(argument, inputFor(argument, interrupt), 'robot-lab network run FILE "message" --context name=value');
	// Each call's own line says how it was confined; in JSON lines it is one word that is easily missed.
	if (!options.json) expectWarning("ROBOT_LAB_SANDBOX_UNCONFINED");
	const report = await reportNetwork({ network, choice, skills, terminal, json: options.json === true });
	const log = new EventLog({ history: 0 });
	log.subscribe(report.onEvent);
	try {
		const result = await network.run({ message, context: Object.fromEntries(values), signal: interrupt.signal, log });
		report.end();
		report.result(result);
		exitWith(verdict(result));
	} finally {
		report.end();
	}
}

/** The exit code of a run that came to an end. Throws what it lacks. */
function verdict({ status, tasks, results }: NetworkResult): number {
	const failed = Object.entries(tasks).find(([, { state }]) => state === "failed");
	if (status === "failed" && failed !== undefined) {
		const [task, { error }] = failed;
		throw new WorkError(`The task "${printableLine(task, 80)}" failed: ${error instanceof Error ? error.message : String(error)}`);
	}
	if (status === "cancelled") throw new WorkError("The run broke off.");
	const cut = Object.entries<RobotResult | undefined>(results).find(([, result]) => result?.stopped === false);
	if (cut === undefined) return EXIT.done;
	throw new WorkError(`The task "${printableLine(cut[0], 80)}" ended early (${cut[1]?.stopReason}); its answer may be cut.`);
}

function collectValues(given: string, earlier: ReadonlyMap<string, string> | undefined): ReadonlyMap<string, string> {
	const equals = given.indexOf("=");
	const name = given.slice(0, equals).trim();
	if (equals === -1 || name === "") throw new InvalidArgumentError("It takes a name and a value, e.g. --context language=German.");
	if (earlier?.has(name)) throw new InvalidArgumentError("That name was given before.");
	return new Map([...(earlier ?? []), [name, given.slice(equals + 1)]]);
}
