import { snakeCase } from "../config/snake-case.js";
import { Network } from "../network/network.js";
import type { NetworkOptions } from "../network/network-options.js";
import { networkTask } from "../network/network-task.js";
import { recordOf } from "../network/record-of.js";
import type { GivenTask } from "../network/task-group.js";
import type { TaskFlow, TaskOptions } from "../network/task-options.js";
import type { Delegate } from "../robot/delegation-future.js";
import { checkRunContext, valuesFor } from "./declared-context.js";
import { declaredValue, declaredValues } from "./declared-kinds.js";
import { DeclaredMap } from "./declared-map.js";
import { checkDeclaredNames } from "./declared-names.js";
import { nextOf } from "./declared-next.js";
import { madeOf } from "./declared-options.js";
import { checkGivenRobots, DeclaredRobots, type RobotSources } from "./declared-robots.js";
import { checkDeclaredServers } from "./declared-servers.js";
import { type DeclaredBatch, type DeclaredTask, declaredBatches } from "./declared-tasks.js";

const KEYS = ["name", "concurrency", "on_failure", "tools", "mcp", "robots", "tasks"];
const MORE = "What else a network takes, code gives its runs: memory and hooks.";

/** What a network in a file is made with besides the file. */
export interface NetworkSources extends RobotSources {
	/** The names of the values that its runs will be given as context. `undefined`: nobody knows. */
	readonly contextNames: readonly string[] | undefined;
}

/** Makes a network of the text of a file. Rejects with ConfigurationError or NetworkError, naming file, line and key, for what can be none. */
export async function declaredNetwork(path: string, text: string, sources: NetworkSources): Promise<Network<string>> {
	const file = DeclaredMap.ofFile(path, text);
	file.checkKeys(KEYS, MORE);
	const name = declaredValue(file, "name", "text");
	if (name === undefined) throw file.error(undefined, "has no name", "Write one at its top: name: …");
	const kinds = { concurrency: "number", onFailure: "text", tools: "selection", mcp: "selection" } as const;
	const options = declaredValues(file, kinds, snakeCase) as Omit<NetworkOptions, "name">;
	const network = madeOf(file, options, (some) => new Network<string>({ name: name as string, ...some }));
	// robots that code gives may have servers of their own
	if (sources.robots.size === 0) checkDeclaredServers(file);
	const batches = declaredBatches(file.map("tasks"));
	if (batches.length === 0)
		throw file.networkError(
			"no_tasks",
			network.name,
			undefined,
			"has no tasks. Write them below tasks: a name each, and below it robot: …",
		);
	checkDeclaredNames(network.name, batches);
	if (sources.contextNames !== undefined) checkRunContext(file, batches, sources.contextNames);
	checkGivenRobots(sources.robots, new Set(batches.flatMap(({ tasks }) => tasks.flatMap(robotNamesOf))));
	const robots = new DeclaredRobots(file.map("robots"), sources);
	await robots.checkAll();
	for (const batch of batches) await addBatch(network, batch, robots);
	return network;
}

const robotNamesOf = ({ robot, fallback }: DeclaredTask): readonly string[] =>
	fallback !== undefined && "robot" in fallback ? [robot, fallback.robot] : [robot];

async function addBatch(network: Network<string>, { group, tasks }: DeclaredBatch, robots: DeclaredRobots): Promise<void> {
	const given: GivenTask[] = [];
	for (const task of tasks) given.push(await givenTask(task, robots));
	if (group === undefined) {
		network.tasks(recordOf(given.map(([name, robot, options]) => [name, { robot, ...options }] as const)));
		return;
	}
	network.parallel(group.name, { dependsOn: group.dependsOn }, (members) => {
		for (const [name, robot, options] of given) members.task(name, robot, options);
		return members;
	});
}

async function givenTask(task: DeclaredTask, robots: DeclaredRobots): Promise<GivenTask> {
	const { name, map, fallback } = task;
	const robot = await robots.of(task.robot, map);
	const other = fallback !== undefined && "robot" in fallback ? await robots.of(fallback.robot, map.map("fallback")) : undefined;
	const taken = robots.valuesTaken(task, robotNamesOf(task));
	const options: TaskOptions<string, string> = { dependsOn: task.dependsOn, ...task.options, ...madeOptions(task, other, taken) };
	// again when it is added, but not with its place in the file
	madeOf(map, options, (some) => networkTask(name, robot, some));
	return [name, robot, options];
}

/** The options of a task that are functions. */
function madeOptions(
	{ input, context, fallback, rules }: DeclaredTask,
	other: Delegate | undefined,
	taken: ReadonlySet<string> | undefined,
): TaskOptions<string, string> {
	const own = (flow: TaskFlow) => context?.fill(flow, flow.context) ?? {};
	const contextOf = (flow: TaskFlow) => ({ ...flow.context, ...own(flow) });
	return {
		...(input !== undefined && { input: (flow: TaskFlow) => input.fill(flow, contextOf(flow)) }),
		...(context !== undefined && { context: (flow: TaskFlow) => valuesFor(taken, own(flow)) }),
		...(other !== undefined && { fallback: other }),
		...(fallback !== undefined && "fill" in fallback && { fallback: (_: unknown, flow: TaskFlow) => fallback.fill(flow, contextOf(flow)) }),
		...nextOf(rules, contextOf),
	};
}
