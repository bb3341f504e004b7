import { ConfigurationError } from "../errors/configuration-error.js";
import { checkHooks } from "../hook/check-hooks.js";
import type { Hook } from "../hook/hook.js";
import type { RegisteredHook } from "../hook/registered-hook.js";
import { Memory } from "../memory/memory.js";
import { checkNames } from "../options/check-options.js";
import { EventLog } from "../stream/event-log.js";
import type { OpenRun } from "../stream/open-run.js";
import { describeValue, isRecord } from "../text/describe-value.js";
import { frozenCopy } from "../value/frozen-copy.js";
import type { Selection } from "../value/selection.js";
import { checkFailurePolicy, checkSelections } from "./network-task.js";
import { nameFlaw } from "./task-names.js";
import type { FailurePolicy } from "./task-options.js";
import type { TaskRunner } from "./task-runner.js";

/** How a network is made. */
export interface NetworkOptions {
	/** Which network it is, in results, drawings and the log: one line that is not blank, of at most 200 characters. */
	readonly name: string;
	/** The most tasks that run at once, 1 or more. Tasks that wait for each other in the memory must all fit in. Default 16. */
	readonly concurrency?: number | undefined;
	/** What the other tasks do when one fails, unless that one says otherwise. Default `"fail-fast"`. */
	readonly onFailure?: FailurePolicy | undefined;
	/** What its robots know together, from run to run. Default: a new one. */
	readonly memory?: Memory | undefined;
	/** Which tools the models are told of, where neither robot nor task say so: `"inherit"` (default) what the configuration says, `"none"`, or names. */
	readonly tools?: Selection | undefined;
	/** The same for MCP servers. */
	readonly mcp?: Selection | undefined;
	/** Told of this network's runs and tasks, inside those of the process. Default: none. */
	readonly hooks?: readonly Hook[] | undefined;
	/** Runs the attempts of its tasks. Default: the robots themselves, in this process. */
	readonly runner?: TaskRunner | undefined;
}

/** A network's options with every default applied. */
export interface ResolvedNetworkOptions extends Applied<Omit<NetworkOptions, "hooks" | "runner">> {
	readonly runner: TaskRunner | undefined;
	readonly hooks: readonly RegisteredHook[];
}

type Applied<Options> = { readonly [Option in keyof Options]-?: Exclude<Options[Option], undefined> };

/** What one run of a network takes. */
export interface NetworkRunOptions {
	readonly message: string;
	/** For the functions of the tasks, as `flow.context`. Robots get nothing of it by themselves. Default: nothing. */
	readonly context?: Readonly<Record<string, unknown>> | undefined;
	/** Another memory for this run. `network.memory.clone()` gives it one of its own. Default: the network's. */
	readonly memory?: Memory | undefined;
	/** Ends the run at any moment; the result then says `cancelled`. */
	readonly signal?: AbortSignal | undefined;
	/** The run beneath which this one runs, in the same log and no longer than it: a tool hands on its `context.run`. Default: a root run. */
	readonly parent?: OpenRun | undefined;
	/** Another runner for the tasks of this run. Default: the network's. */
	readonly runner?: TaskRunner | undefined;
	/** Hooks of this run alone, inside all others: told of the network's run and its tasks. Default: none. */
	readonly hooks?: readonly Hook[] | undefined;
	/** An empty log for a root run, in which everything can be followed that happens in it. Default: none that anybody sees. */
	readonly log?: EventLog | undefined;
}

// records, so that one that is forgotten, or no longer there, does not compile
const OPTIONS: Readonly<Record<keyof NetworkOptions, true>> = {
	name: true,
	concurrency: true,
	onFailure: true,
	memory: true,
	tools: true,
	mcp: true,
	hooks: true,
	runner: true,
};
const RUN: Readonly<Record<keyof NetworkRunOptions, true>> = {
	message: true,
	context: true,
	memory: true,
	signal: true,
	parent: true,
	runner: true,
	hooks: true,
	log: true,
};

const DEFAULT_CONCURRENCY = 16;

/** The options with their defaults. Throws ConfigurationError for those that are none. */
export function networkOptions(options: NetworkOptions): ResolvedNetworkOptions {
	const what = "new Network()";
	checkNames(what, options, Object.keys(OPTIONS));
	const {
		name,
		concurrency = DEFAULT_CONCURRENCY,
		onFailure = "fail-fast",
		memory = new Memory(),
		tools = "inherit",
		mcp = "inherit",
		hooks = [],
		runner,
	} = options;
	const flaw = nameFlaw(name);
	if (flaw !== undefined)
		throw new ConfigurationError(`A network needs a name: new Network({ name: "…" }), got ${describeValue(name)}: ${flaw}.`);
	if (!Number.isSafeInteger(concurrency) || concurrency < 1) {
		throw new ConfigurationError(`${what} needs a whole number from 1 as concurrency, got ${describeValue(concurrency)}.`);
	}
	checkFailurePolicy(what, onFailure);
	if (!(memory instanceof Memory)) throw new ConfigurationError(`${what} needs a Memory as memory, got ${describeValue(memory)}.`);
	checkSelections(what, options);
	if (runner !== undefined) checkRunner(what, runner);
	const choices = { tools: frozenCopy(tools), mcp: frozenCopy(mcp) };
	return { name, concurrency, onFailure, memory, ...choices, hooks: checkHooks(`${what}, hooks`, hooks), runner };
}

/** Throws ConfigurationError for what cannot be run, before anything of it is published. */
export function checkNetworkRun(options: NetworkRunOptions): void {
	const what = "network.run()";
	checkNames(what, options, Object.keys(RUN));
	const { message, context, memory, signal, parent, runner, log } = options;
	if (typeof message !== "string" || message.trim() === "") {
		throw new ConfigurationError(`${what} needs a message of text: run({ message: "…" }), got ${describeValue(message)}.`);
	}
	const needs = (option: string, needed: string, got: unknown): ConfigurationError =>
		new ConfigurationError(`${what} needs ${needed} as ${option}, got ${describeValue(got)}.`);
	if (context !== undefined && !isRecord(context)) throw needs("context", "a record", context);
	if (memory !== undefined && !(memory instanceof Memory)) throw needs("memory", "a Memory", memory);
	if (signal !== undefined && !(signal instanceof AbortSignal)) throw needs("signal", "an AbortSignal", signal);
	if (runner !== undefined) checkRunner(what, runner);
	if (log === undefined) return;
	if (!(log instanceof EventLog) || log.lastSequenceNumber > 0) throw needs("log", "an EventLog without events", log);
	if (parent !== undefined)
		throw new ConfigurationError(`${what} takes a log or a parent: beneath another run, the log is that of the root.`);
}

/** By shape: one of another package is one, too. */
function checkRunner(what: string, runner: unknown): void {
	const { specificationVersion: version, name, run } = (runner ?? {}) as Readonly<Record<keyof TaskRunner, unknown>>;
	if (typeof name !== "string" || typeof run !== "function")
		throw new ConfigurationError(`${what} needs a TaskRunner as runner, got ${describeValue(runner)}.`);
	if (version === "v1") return;
	throw new ConfigurationError(
		`${what}: the runner "${name}" keeps ${describeValue(version)} of the TaskRunner contract, and v1 is needed.`,
	);
}
