import type { RegisteredHook } from "../hook/registered-hook.js";
import { freezeWhole } from "../value/freeze-whole.js";
import type { ResolvedNetworkOptions } from "./network-options.js";
import type { NetworkRecord, TaskRecord } from "./network-record.js";
import type { NetworkTask } from "./network-task.js";
import { type SchedulePlan, schedulePlan } from "./schedule-plan.js";
import type { Node, TaskGraph } from "./task-graph.js";

/** A network as one run of it sees it: what is defined later is for the next. Tasks are the numbers of their places. */
export interface NetworkSnapshot {
	/** Frozen to the bottom: every run tells its log of it. */
	readonly record: NetworkRecord;
	readonly tasks: readonly NetworkTask[];
	readonly plan: SchedulePlan;
	readonly places: ReadonlyMap<string, number>;
	readonly hooks: readonly RegisteredHook[];
}

/** @param tasks Those of the graph, in its order. */
export function networkSnapshot(options: ResolvedNetworkOptions, graph: TaskGraph, tasks: readonly NetworkTask[]): NetworkSnapshot {
	const { nodes } = graph;
	const { name, concurrency, onFailure, tools, mcp, hooks } = options;
	const places = new Map(nodes.map((node, place) => [node.name, place]));
	const plan = schedulePlan(
		nodes.map(({ isOptional, dependencies }, place) => ({
			isOptional,
			canActivate: tasks[place]?.options.next !== undefined,
			dependencies: dependencies.flatMap((dependency) => places.get(dependency) ?? []),
		})),
	);
	const records = nodes.map((node, place) => taskRecord(node, tasks[place] as NetworkTask));
	const groups = [...graph.groups].map(([group, members]) => ({ name: group, tasks: members }));
	const record = { name, concurrency, onFailure, tools, mcp, tasks: records, groups };
	freezeWhole(record);
	return { tasks, plan, places, hooks, record };
}

function taskRecord({ name, isOptional, dependencies }: Node, { robot, options, retry }: NetworkTask): TaskRecord {
	const { next, activates, timeoutMs, fallback, onFailure, tools, mcp } = options;
	return {
		name,
		robot: robot.name,
		dependsOn: isOptional ? "optional" : dependencies.length === 0 ? "none" : dependencies,
		...(next !== undefined && { decides: true }),
		...(activates !== undefined && { activates: [...activates] }),
		...(timeoutMs !== undefined && { timeoutMs }),
		...(retry !== undefined && { retries: retry.maxRetries }),
		...(fallback !== undefined && { hasFallback: true }),
		...(onFailure !== undefined && { onFailure }),
		...(tools !== undefined && { tools }),
		...(mcp !== undefined && { mcp }),
	};
}
