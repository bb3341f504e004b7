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
	/** The optional tasks that others wait for. */
	readonly awaited: readonly number[];
	/**
	 * By task that can activate: the awaited ones that it cannot, as it waits for them itself, or is one. Those that it can are mostly all the
	 * others, and to keep them for each task would take the product of both.
	 */
	readonly outOfReach: readonly (readonly number[])[];
}

/** @param tasks Without cycles, and each dependency there. */
export function schedulePlan(tasks: readonly PlannedTask[]): SchedulePlan {
	const dependents = tasks.map((): number[] => []);
	for (const [task, { dependencies }] of tasks.entries()) for (const dependency of dependencies) dependents[dependency]?.push(task);
	const optional = tasks.flatMap(({ isOptional }, task) => (isOptional ? [task] : []));
	const awaited = optional.filter((one) => dependents[one]?.length !== 0);
	const outOfReach = tasks.map((): number[] => []);
	for (const one of awaited) for (const task of waitingFor(one, dependents)) if (tasks[task]?.canActivate) outOfReach[task]?.push(one);
	return { tasks, dependents, optional, awaited, outOfReach };
}

/** The task, and all that cannot start before it has come to an end. */
function waitingFor(task: number, dependents: readonly (readonly number[])[]): ReadonlySet<number> {
	const waiting = new Set([task]);
	for (const one of waiting) for (const dependent of dependents[one] ?? []) waiting.add(dependent);
	return waiting;
}
