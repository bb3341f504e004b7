import { seenText } from "../text/seen-text.js";
import { shorten } from "../text/shorten.js";
import type { NetworkRecord, TaskRecord } from "./network-record.js";
import type { TaskOutcome } from "./network-result.js";
import type { TaskState } from "./schedule.js";

/** What is drawn of a task besides its name: what became of it, or that it runs. From a result, its record or the log. */
export interface DrawnOutcome extends Partial<Omit<TaskOutcome, "state" | "error">> {
	readonly state: TaskState | "running";
	/** What it failed with. On a task that is done: its fallback answered, and this is why it was asked. */
	readonly error?: { readonly message: string };
}

/** By task. */
export type DrawnOutcomes = Readonly<Record<string, DrawnOutcome>>;

/** A task with its place, which drawings name it by: a name may hold anything. */
export interface DrawnTask {
	readonly id: string;
	readonly task: TaskRecord;
	readonly isOptional: boolean;
	/** The ids of what it depends on. */
	readonly dependencies: readonly string[];
	/** The tasks that say they may activate it. */
	readonly activators: readonly { readonly id: string; readonly name: string }[];
	readonly outcome: DrawnOutcome | undefined;
}

export function drawnTasks({ tasks }: NetworkRecord, outcomes: DrawnOutcomes): readonly DrawnTask[] {
	const ids = new Map(tasks.map(({ name }, place) => [name, `t${place}`]));
	const activators = activatorsOf(tasks);
	return tasks.map((task) => ({
		id: ids.get(task.name) ?? "",
		task,
		isOptional: task.dependsOn === "optional",
		dependencies: namesOf(task).flatMap((name) => ids.get(name) ?? []),
		activators: (activators.get(task.name) ?? []).map((name) => ({ id: ids.get(name) ?? "", name })),
		outcome: Object.hasOwn(outcomes, task.name) ? outcomes[task.name] : undefined,
	}));
}

/** By optional task: the names of those that say they may activate it. */
function activatorsOf(tasks: readonly TaskRecord[]): ReadonlyMap<string, readonly string[]> {
	const activators = new Map<string, string[]>();
	for (const { name, activates = [] } of tasks) {
		for (const activated of activates) {
			const known = activators.get(activated);
			if (known === undefined) activators.set(activated, [name]);
			else known.push(name);
		}
	}
	return activators;
}

/** What a task waits for, by name. */
export const namesOf = ({ dependsOn }: TaskRecord): readonly string[] => (typeof dependsOn === "string" ? [] : dependsOn);

/** Groups with the ids of their tasks. */
export function drawnGroups(
	{ groups }: NetworkRecord,
	tasks: readonly DrawnTask[],
): readonly { readonly id: string; readonly name: string; readonly tasks: readonly DrawnTask[] }[] {
	const byName = new Map(tasks.map((drawn) => [drawn.task.name, drawn]));
	return groups.map(({ name, tasks: members }, place) => ({
		id: `g${place}`,
		name,
		tasks: members.flatMap((member) => byName.get(member) ?? []),
	}));
}

/** What became of a task, in words on one line: `"done, 12 ms, 2 attempts"`, `"done by its fallback, 12 ms, after: no line"`. */
export function outcomeText({ state, durationMs, attempts = 0, error }: DrawnOutcome): string {
	const insteadOf = state === "done" ? error : undefined;
	return [
		insteadOf === undefined ? state : `${state} by its fallback`,
		...(durationMs !== undefined && attempts > 0 ? [durationText(durationMs)] : []),
		...(attempts > 1 ? [`${attempts} attempts`] : []),
		...(insteadOf === undefined ? [] : [`after: ${onOneLine(insteadOf.message)}`]),
	].join(", ");
}

const MAX_LINE_CHARACTERS = 100;

/** Providers write their errors over many lines, and robots of others may be named anything. */
export const onOneLine = (text: string): string => shorten(seenText(text).replaceAll(/\s+/g, " ").trim(), MAX_LINE_CHARACTERS);

function durationText(ms: number): string {
	if (ms < 1_000) return `${Math.round(ms)} ms`;
	return `${(ms / 1_000).toFixed(1)} s`;
}

/** A drawing has a fill for each state, light enough for black text. */
export const STATE_FILLS: Readonly<Record<DrawnOutcome["state"], string>> = {
	running: "#d0ebff",
	done: "#d3f9d8",
	failed: "#ffc9c9",
	skipped: "#f1f3f5",
	blocked: "#ffe8cc",
	cancelled: "#e9ecef",
};
