import { ConfigurationError } from "../errors/configuration-error.js";
import type { Hook } from "../hook/hook.js";
import type { HookFamily } from "../hook/hook-facts.js";
import { METHODS_OF } from "../hook/hook-methods.js";
import { JsonValues } from "../json/json-values.js";
import type { LocalTask, TaskRequest } from "../network/task-runner.js";
import type { RunOptions } from "../robot/run-options.js";

/** What a run is given in the thread of its robot, as JSON. */
export type CrossingOptions = Pick<RunOptions, "context" | "tools" | "mcp" | "skills" | "inherited">;

/** `undefined`: it crosses, or does its work on this side. The others are refused, with what to do instead. */
const INSTEAD: Readonly<Record<keyof RunOptions, string | undefined>> = {
	context: undefined,
	tools: undefined,
	mcp: undefined,
	skills: undefined,
	signal: undefined,
	parent: undefined,
	memory: "Put what the robot has to know into its message. In a network: give the network the runner, new Network({ runner }).",
	hooks: "Give them to the robot where it is made.",
	with: "Put what the robot has to know into its message.",
	onContent: "Read the log of the run above, which is parent.",
	schema: "Give it to the robot where it is made.",
	inherited: "Give the network the runner: new Network({ runner }).",
};

/** What crosses of a robot's run. Throws ConfigurationError for an option that cannot, and for what is no JSON. */
export function crossingRun(robot: string, options: RunOptions): CrossingOptions {
	for (const [option, instead] of Object.entries(INSTEAD)) {
		if (instead === undefined || options[option as keyof RunOptions] === undefined) continue;
		throw new ConfigurationError(`"${robot}" runs in another thread and cannot be given ${option} there. ${instead}`);
	}
	const { context, tools, mcp, skills } = options;
	return asJson(`The run of "${robot}" in another thread`, { context, tools, mcp, skills });
}

/** What crosses of a task's attempt. Throws ConfigurationError for a memory of the task's own, for hooks that are for robots, and for what is no JSON. */
export function crossingTask({ task, robot, context, inherited }: TaskRequest, { options, hasOwnMemory }: LocalTask): CrossingOptions {
	const refused = (what: string, instead: string): ConfigurationError =>
		new ConfigurationError(
			`The task "${task}" has ${what} "${robot}", which runs in another thread and cannot be given it there. ${instead}`,
		);
	if (hasOwnMemory) throw refused("a memory of its own for", "Leave it away, and put what the robot has to know into input or context.");
	const hook = options.inherited?.hooks?.find(isForRobots);
	if (hook !== undefined) {
		throw refused(
			`the hook ${JSON.stringify(hook.namespace)} of its network for`,
			"Give it to the robot where it is made, or registerHook() there.",
		);
	}
	return asJson(`The task "${task}"`, { context, inherited });
}

/** The families at which robots are. Those of networks and tasks are called where the network runs, and their failures told there. */
const OF_ROBOTS: readonly HookFamily[] = ["run", "llmGeneration", "toolCall", "learn", "compaction"];

const isForRobots = (hook: Hook): boolean => OF_ROBOTS.some((family) => METHODS_OF[family].some((method) => hook[method] !== undefined));

const asJson = (what: string, options: CrossingOptions): CrossingOptions => new JsonValues().accept(options, what) as CrossingOptions;
