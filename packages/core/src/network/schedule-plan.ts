/** A task as the schedule sees it: tasks are the numbers of their places. */
export interface PlannedTask {
	readonly dependencies: readonly number[];
	/** It starts when it is activated, and depends on nothing. */
	readonly isOptional: boolean;
	/** Whether it may activate optional tasks when it is done. */
	readonly canActivate: boolean;
}

/** What a schedule needs to know of a graph. The same for every run of it. */
export interface SchedulePlan {
	readonly tasks: readonly PlannedTask[];
	readonly dependents: readonly (readonly number[])[];
	readonly optional: readonly number[];
	/** By task that can activate: the optional tasks that are waited for, and that it can activate without waiting for them itself. */
	readonly canStillActivate: readonly (readonly number[])[];
}

/** @param tasks Without cycles, and each dependency there. */
export function schedulePlan(tasks: readonly PlannedTask[]): SchedulePlan {
	const dependents = tasks.map((): number[] => []);
	for (const [task, { dependencies }] of tasks.entries()) for (const dependency of dependencies) dependents[dependency]?.push(task);
	const optional = tasks.flatMap(({ isOptional }, task) => (isOptional ? [task] : []));
	const activators = tasks.flatMap(({ canActivate }, task) => (canActivate ? [task] : []));
	const canStillActivate = tasks.map((): number[] => []);
	for (const one of optional) {
		if (dependents[one]?.length === 0) continue;
		const waiting = waitingFor(one, dependents);
		for (const activator of activators) if (!waiting.has(activator)) canStillActivate[activator]?.push(one);
	}
	return { tasks, dependents, optional, canStillActivate };
}

/** The task, and all that cannot start before it has come to an end. */
function waitingFor(task: number, dependents: readonly (readonly number[])[]): ReadonlySet<number> {
	const waiting = new Set([task]);
	for (const one of waiting) for (const dependent of dependents[one] ?? []) waiting.add(dependent);
	return waiting;
}
