import { type DrawnOutcomes, type DrawnTask, drawnGroups, drawnTasks, outcomeText, STATE_FILLS } from "./drawn-task.js";
import type { NetworkRecord } from "./network-record.js";

/** A directed graph: groups as clusters, optional tasks with a dashed border and dotted lines from who activates them, what became of tasks below their names and as a fill. */
export function drawDot(network: NetworkRecord, outcomes: DrawnOutcomes): string {
	const tasks = drawnTasks(network, outcomes);
	const groups = drawnGroups(network, tasks);
	const grouped = new Set(groups.flatMap(({ tasks: members }) => members));
	return [
		`digraph ${quoted(network.name)} {`,
		"  node [shape=box];",
		...tasks.filter((drawn) => !grouped.has(drawn)).map((drawn) => `  ${nodeOf(drawn)}`),
		...groups.flatMap(({ id, name, tasks: members }) => [
			`  subgraph cluster_${id} {`,
			`    label=${quoted(name)};`,
			...members.map((drawn) => `    ${nodeOf(drawn)}`),
			"  }",
		]),
		...tasks.flatMap(({ id, dependencies }) => dependencies.map((dependency) => `  ${dependency} -> ${id};`)),
		...tasks.flatMap(({ id, activators }) => activators.map((activator) => `  ${activator.id} -> ${id} [style=dotted];`)),
		"}",
	].join("\n");
}

function nodeOf({ id, task, isOptional, outcome }: DrawnTask): string {
	const styles = [...(isOptional ? ["dashed"] : []), ...(outcome === undefined ? [] : ["filled"])];
	const label = outcome === undefined ? quoted(task.name) : quoted(task.name, outcomeText(outcome));
	const style = styles.length === 0 ? "" : `, style="${styles.join(",")}"`;
	const fill = outcome === undefined ? "" : `, fillcolor="${STATE_FILLS[outcome.state]}"`;
	return `${id} [label=${label}${style}${fill}];`;
}

/** Each text on a line of its own. */
const quoted = (...texts: readonly string[]): string =>
	`"${texts.map((text) => text.replaceAll(/["\\]/g, (character) => `\\${character}`)).join("\\n")}"`;
