import { snakeCase } from "../config/snake-case.js";
import { Network } from "../network/network.js";
import type { NetworkOptions } from "../network/network-options.js";
import { networkTask } from "../network/network-task.js";
import { recordOf } from "../network/record-of.js";
import type { GivenTask } from "../network/task-group.js";
import type { TaskFlow, TaskOptions } from "../network/task-options.js";
import type { Delegate } from "../robot/delegation-future.js";
import { declaredValue, declaredValues } from "./declared-kinds.js";
import { DeclaredMap } from "./declared-map.js";
import { checkDeclaredNames } from "./declared-names.js";
import { nextOf } from "./declared-next.js";
import { checkGivenRobots, DeclaredRobots, type RobotSources } from "./declared-robots.js";
import { type DeclaredBatch, type DeclaredTask, declaredBatches } from "./declared-tasks.js";

const KEYS = ["name", "concurrency", "on_failure", "tools", "mcp", "robots", "tasks"];
const MORE = "What else a network takes, code gives its runs: memory and hooks.";

/** Makes a network of the text of a file. Rejects with ConfigurationError or NetworkError, naming file, line and key, for what can be none. */
export async function declaredNetwork(path: string, text: string, sources: RobotSources): Promise<Network<string>> {
	const file = DeclaredMap.ofFile(path, text);
	file.checkKeys(KEYS, MORE);
	const name = declaredValue(file, "name", "text");
	if (name === undefined) throw file.error(undefined, "has no name", "Write one at its top: name: …");
	const kinds = { concurrency: "number", onFailure: "text", tools: "selection", mcp: "selection" } as const;
	const options = declaredValues(file, kinds, snakeCase) as Omit<NetworkOptions, "name">;
	const network = file.within(undefined, () => new Network<string>({ name: name as string, ...options }));
	const batches = declaredBatches(file.map("tasks"));
	if (batches.length === 0)
		throw file.networkError(
			"no_tasks",
			network.name,
			undefined,
			"has no tasks. Write them below tasks: a name each, and below it robot: …",
		);
	checkDeclaredNames(network.name, batches);
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
	const { name, map } = task;
	const robot = await robots.of(task, task.robot, map);
	const { fallback } = task;
	const other = fallback !== undefined && "robot" in fallback ? await robots.of(task, fallback.robot, map.map("fallback")) : undefined;
	const options: TaskOptions<string, string> = { dependsOn: task.dependsOn, ...task.options, ...madeOptions(task, other) };
	// again when it is added, but not with its place in the file
	map.within(undefined, () => networkTask(name, robot, options));
	return [name, robot, options];
}

/** The options of a task that are functions. */
function madeOptions({ input, context, fallback, rules }: DeclaredTask, other: Delegate | undefined): TaskOptions<string, string> {
	const own = (flow: TaskFlow) => context?.fill(flow, flow.context) ?? {};
	const contextOf = (flow: TaskFlow) => ({ ...flow.context, ...own(flow) });
	return {
		...(input !== undefined && { input: (flow: TaskFlow) => input.fill(flow, contextOf(flow)) }),
		...(context !== undefined && { context: own }),
		...(other !== undefined && { fallback: other }),
		...(fallback !== undefined && "fill" in fallback && { fallback: (_: unknown, flow: TaskFlow) => fallback.fill(flow, contextOf(flow)) }),
		...nextOf(rules, contextOf),
	};
}
