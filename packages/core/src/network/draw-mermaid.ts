import { type DrawnOutcomes, type DrawnTask, drawnGroups, drawnTasks, outcomeText, STATE_FILLS } from "./drawn-task.js";
import type { NetworkRecord } from "./network-record.js";

/** A flow chart: groups as boxes around their tasks, optional tasks with a dashed border and dotted lines from who activates them, what became of tasks below their names and as a fill. */
export function drawMermaid(network: NetworkRecord, outcomes: DrawnOutcomes): string {
	const tasks = drawnTasks(network, outcomes);
	const groups = drawnGroups(network, tasks);
	const grouped = new Set(groups.flatMap(({ tasks: members }) => members));
	return [
		"flowchart TD",
		...tasks.filter((drawn) => !grouped.has(drawn)).map((drawn) => `  ${nodeOf(drawn)}`),
		...groups.flatMap(({ id, name, tasks: members }) => [
			`  subgraph ${id}["${escaped(name)}"]`,
			...members.map((drawn) => `    ${nodeOf(drawn)}`),
			"  end",
		]),
		...tasks.flatMap(({ id, dependencies }) => dependencies.map((dependency) => `  ${dependency} --> ${id}`)),
		...tasks.flatMap(({ id, activators }) => activators.map((activator) => `  ${activator.id} -.-> ${id}`)),
		...classLines(
			"optional",
			"stroke-dasharray:5 5",
			tasks.filter(({ isOptional }) => isOptional),
		),
		...Object.entries(STATE_FILLS).flatMap(([state, fill]) =>
			classLines(
				state,
				`fill:${fill},color:#000000`,
				tasks.filter(({ outcome }) => outcome?.state === state),
			),
		),
	].join("\n");
}

function nodeOf({ id, task, outcome }: DrawnTask): string {
	const state = outcome === undefined ? "" : `<br/>${escaped(outcomeText(outcome))}`;
	return `${id}["${escaped(task.name)}${state}"]`;
}

function classLines(name: string, style: string, tasks: readonly DrawnTask[]): readonly string[] {
	if (tasks.length === 0) return [];
	return [`  classDef ${name} ${style}`, `  class ${tasks.map(({ id }) => id).join(",")} ${name}`];
}

/** What could end a label, be read as markup, or begin a character's code. */
const escaped = (text: string): string => text.replaceAll(/["#&<>`\\]/g, (character) => `#${character.charCodeAt(0)};`);
