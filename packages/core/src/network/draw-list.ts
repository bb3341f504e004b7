import { type DrawnOutcomes, drawnGroups, drawnTasks, namesOf, onOneLine, outcomeText } from "./drawn-task.js";
import type { NetworkRecord } from "./network-record.js";

/** One line a task: its robot where that has another name, what it waits for, and what became of it. */
export function drawList(network: NetworkRecord, outcomes: DrawnOutcomes): string {
	const tasks = drawnTasks(network, outcomes);
	const lines = tasks.map(({ task, isOptional, activators, outcome }) => {
		const robot = task.robot === task.name ? "" : ` [${onOneLine(task.robot)}]`;
		const names = namesOf(task);
		const by = activators.length === 0 ? "" : ` by ${activators.map(({ name }) => name).join(" or ")}`;
		const when = isOptional ? `, when activated${by}` : names.length === 0 ? "" : `, after ${names.join(", ")}`;
		return `  ${task.name}${robot}${when}${outcome === undefined ? "" : `: ${outcomeText(outcome)}`}`;
	});
	const groups = drawnGroups(network, tasks).map(
		({ name, tasks: members }) => `  group ${name}: ${members.map(({ task }) => task.name).join(", ")}`,
	);
	return [`${network.name} (${tasks.length} ${tasks.length === 1 ? "task" : "tasks"})`, ...lines, ...groups].join("\n");
}
