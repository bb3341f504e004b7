import { isRecord } from "../text/describe-value.js";
import type { Selection } from "../value/selection.js";
import { nameFlaw } from "./task-names.js";
import type { DependsOn, FailurePolicy } from "./task-options.js";

/** A task of a network, as JSON. */
export interface TaskRecord {
	readonly name: string;
	/** The name of its robot. */
	readonly robot: string;
	/** Groups are replaced by their tasks. */
	readonly dependsOn: DependsOn;
	/** Whether it decides in `next` how it goes on: it may activate optional tasks and halt the network. */
	readonly decides?: true;
	/** The optional tasks that it may activate, where that is known. */
	readonly activates?: readonly string[];
	/** Milliseconds. */
	readonly timeoutMs?: number;
	/** How often it is tried again at most. */
	readonly retries?: number;
	/** Whether something answers in its place when it failed. */
	readonly hasFallback?: true;
	readonly onFailure?: FailurePolicy;
	readonly tools?: Selection;
	readonly mcp?: Selection;
}

/** What a network is made of, as JSON: no function, nothing of what robots know. */
export interface NetworkRecord {
	readonly name: string;
	readonly concurrency: number;
	readonly onFailure: FailurePolicy;
	readonly tools: Selection;
	readonly mcp: Selection;
	/** In the order in which they were defined. */
	readonly tasks: readonly TaskRecord[];
	readonly groups: readonly { readonly name: string; readonly tasks: readonly string[] }[];
}

/** Whether a value is such a record as far as it is drawn: it may come from a file that somebody else wrote. */
export function isNetworkRecord(value: unknown): value is NetworkRecord {
	if (!isRecord(value) || !isName(value.name) || typeof value.concurrency !== "number") return false;
	const { tasks, groups } = value;
	return Array.isArray(tasks) && tasks.every(isTaskRecord) && Array.isArray(groups) && groups.every(isGroupRecord);
}

const isName = (name: unknown): name is string => nameFlaw(name) === undefined;

const isNames = (names: unknown): boolean => Array.isArray(names) && names.every(isName);

const isTaskRecord = (task: unknown): boolean =>
	isRecord(task) &&
	isName(task.name) &&
	typeof task.robot === "string" &&
	(task.dependsOn === "none" || task.dependsOn === "optional" || isNames(task.dependsOn)) &&
	(task.activates === undefined || isNames(task.activates));

const isGroupRecord = (group: unknown): boolean => isRecord(group) && isName(group.name) && isNames(group.tasks);
