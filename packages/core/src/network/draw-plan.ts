import { type DrawnOutcomes, type DrawnTask, drawnTasks, outcomeText } from "./drawn-task.js";
import type { NetworkRecord } from "./network-record.js";

/** The tasks by the earliest phase in which they can run, and those that wait for being activated. */
export function drawPlan(network: NetworkRecord, outcomes: DrawnOutcomes): string {
	const tasks = drawnTasks(network, outcomes);
	const phases = phasesOf(tasks);
	const optional = tasks.filter(({ isOptional }) => isOptional);
	const lines = phases.map((phase, index) => `Phase ${index + 1}: ${phase.map(captionOf).join(", ")}`);
	if (optional.length > 0) lines.push(`When activated: ${optional.map(captionOf).join(", ")}`);
	const head = `Execution plan of ${network.name}: at most ${network.concurrency} at once, each as soon as what it waits for has ended.`;
	return [head, ...lines].join("\n");
}

const captionOf = ({ task, outcome }: DrawnTask): string => (outcome === undefined ? task.name : `${task.name} (${outcomeText(outcome)})`);

/** An optional task runs beside the first phase at the earliest. */
function phasesOf(tasks: readonly DrawnTask[]): readonly (readonly DrawnTask[])[] {
	const phases: DrawnTask[][] = [];
	for (const [drawn, phase] of earliestPhases(tasks)) {
		if (drawn.isOptional) continue;
		while (phases.length <= phase) phases.push([]);
		phases[phase]?.push(drawn);
	}
	return phases;
}

/** In the order of the tasks. Without recursion, and in proportion to the dependencies: each is looked at when all it waits for are known. */
function earliestPhases(tasks: readonly DrawnTask[]): ReadonlyMap<DrawnTask, number> {
	const missing = new Map(tasks.map(({ id, dependencies }) => [id, dependencies.length]));
	const dependents = new Map(tasks.map(({ id }): [string, DrawnTask[]] => [id, []]));
	for (const drawn of tasks) for (const dependency of drawn.dependencies) dependents.get(dependency)?.push(drawn);
	const phases = new Map<string, number>(tasks.map(({ id }) => [id, 0]));
	const known = tasks.filter(({ dependencies }) => dependencies.length === 0);
	for (const { id } of known) {
		for (const dependent of dependents.get(id) ?? []) {
			phases.set(dependent.id, Math.max(phases.get(dependent.id) ?? 0, (phases.get(id) ?? 0) + 1));
			const left = (missing.get(dependent.id) ?? 0) - 1;
			missing.set(dependent.id, left);
			if (left === 0) known.push(dependent);
		}
	}
	return new Map(tasks.map((drawn) => [drawn, phases.get(drawn.id) ?? 0]));
}
