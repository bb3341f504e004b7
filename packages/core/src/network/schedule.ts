import type { SchedulePlan } from "./schedule-plan.js";

/** How a task came to its end. */
export type TaskState = "done" | "failed" | "skipped" | "blocked" | "cancelled";

/** What a task may be before its end. Dormant: optional, and not activated. */
export type TaskPhase = TaskState | "dormant" | "waiting" | "ready" | "running";

/** Why the tasks of a run were stopped before all of them had come to an end. */
export type StopCause = "failure" | "halt" | "abort";

/** What a task that is done has decided. */
export interface Decisions {
	/** Optional tasks that are to start. Those that started before, or have ended, count for nothing. */
	readonly activate: readonly number[];
	readonly halts: boolean;
}

/**
 * Which tasks may start, and what becomes of the others when one of them comes to an end. A state machine without time: whoever runs the
 * tasks takes them and says how each ended. Every task ends in exactly one state. Each method that changes something answers with the tasks
 * that ended by it without ever having run, in order. All methods together take time in proportion to the tasks and dependencies,
 * and to the awaited optional tasks times those that can activate.
 *
 * A task starts when all it depends on has ended and at least one of that is done. One that depends on a failed or blocked task is blocked,
 * one that depends on skipped tasks only is skipped. An optional task that others wait for is skipped as soon as no task is left that
 * could activate it.
 */
export class Schedule {
	readonly #plan: SchedulePlan;
	readonly #phases: TaskPhase[];
	/** By task: how many of its dependencies have not ended, and how many are done. */
	readonly #missing: number[];
	readonly #done: number[];
	/** How many tasks are left that can activate, and by optional task how many of them cannot activate that one. */
	#activators = 0;
	readonly #unable: number[];
	/** In the order in which they became ready; those before `#taken` are taken. */
	readonly #ready: number[] = [];
	#taken = 0;
	#running = 0;
	#left: number;
	#stoppedBy: StopCause | undefined;

	constructor(plan: SchedulePlan) {
		const { tasks } = plan;
		this.#plan = plan;
		this.#left = tasks.length;
		this.#phases = tasks.map(({ isOptional }) => (isOptional ? "dormant" : "waiting"));
		this.#missing = tasks.map(({ dependencies }) => dependencies.length);
		this.#done = tasks.map(() => 0);
		this.#unable = tasks.map(() => 0);
		for (const [task, { isOptional }] of tasks.entries()) if (!isOptional) this.#countActivator(task, 1);
	}

	/** Whether every task has ended. */
	get isOver(): boolean {
		return this.#left === 0;
	}

	/** Why nothing starts any more; `undefined` while something may. */
	get stoppedBy(): StopCause | undefined {
		return this.#stoppedBy;
	}

	phaseOf(task: number): TaskPhase | undefined {
		return this.#phases[task];
	}

	/** To be called once, before all else. */
	begin(): readonly number[] {
		const ended: number[] = [];
		for (const [task, { isOptional, dependencies }] of this.#plan.tasks.entries()) {
			if (!isOptional && dependencies.length === 0) this.#makeReady(task);
		}
		for (const task of this.#plan.optional) this.#leaveOut(task, ended);
		return this.#rest(ended);
	}

	/** A task that may start, which runs from now on; in the order in which they became ready. */
	take(): number | undefined {
		const task = this.#ready[this.#taken];
		if (task === undefined) return undefined;
		this.#taken += 1;
		this.#running += 1;
		this.#phases[task] = "running";
		return task;
	}

	/** A task that runs is done. */
	done(task: number, { activate, halts }: Decisions): readonly number[] {
		if (this.#stoppedBy === undefined && !halts) for (const optional of activate) this.#activate(optional);
		const ended = this.#endRunning(task, "done");
		if (halts) this.#stop("halt", ended);
		return this.#rest(ended);
	}

	/** A task that runs has failed. @param stops Whether the others stop for that. */
	failed(task: number, stops: boolean): readonly number[] {
		const ended = this.#endRunning(task, "failed");
		if (stops) this.#stop("failure", ended);
		return this.#rest(ended);
	}

	/** A task that runs was stopped with the others. */
	cancelled(task: number): readonly number[] {
		return this.#rest(this.#endRunning(task, "cancelled"));
	}

	/** Nothing starts any more, by the caller's wish. */
	stop(): readonly number[] {
		const ended: number[] = [];
		this.#stop("abort", ended);
		return ended;
	}

	#activate(task: number): void {
		if (this.#phases[task] !== "dormant") return;
		this.#makeReady(task);
		this.#countActivator(task, 1);
	}

	#makeReady(task: number): void {
		this.#phases[task] = "ready";
		this.#ready.push(task);
	}

	#endRunning(task: number, state: TaskState): number[] {
		const ended: number[] = [];
		this.#running -= 1;
		this.#end(task, state, ended);
		return ended;
	}

	/** Ends a task, and the others that end for that reason. */
	#end(task: number, state: TaskState, ended: number[]): void {
		const ending: [number, TaskState][] = [[task, state]];
		for (const [one, how] of ending) {
			const before = this.#phases[one];
			if (before === undefined || isEnded(before)) continue;
			this.#phases[one] = how;
			this.#left -= 1;
			if (before !== "running") ended.push(one);
			for (const dependent of this.#plan.dependents[one] ?? []) this.#tell(dependent, how, ending);
			if (before === "dormant" || !this.#countActivator(one, -1)) continue;
			for (const optional of this.#plan.awaited) if (this.#isLost(optional)) ending.push([optional, "skipped"]);
		}
	}

	/** What the end of one task means to another that depends on it. */
	#tell(dependent: number, how: TaskState, ending: [number, TaskState][]): void {
		if (this.#phases[dependent] !== "waiting") return;
		if (how === "failed" || how === "blocked") return void ending.push([dependent, "blocked"]);
		if (how === "cancelled") return void ending.push([dependent, "cancelled"]);
		const missing = (this.#missing[dependent] ?? 0) - 1;
		const done = (this.#done[dependent] ?? 0) + (how === "done" ? 1 : 0);
		this.#missing[dependent] = missing;
		this.#done[dependent] = done;
		if (missing > 0) return;
		if (done > 0) this.#makeReady(dependent);
		else ending.push([dependent, "skipped"]);
	}

	/** @returns Whether the task can activate any, and so counts. */
	#countActivator(task: number, change: 1 | -1): boolean {
		if (!this.#plan.tasks[task]?.canActivate) return false;
		this.#activators += change;
		for (const optional of this.#plan.outOfReach[task] ?? []) this.#unable[optional] = (this.#unable[optional] ?? 0) + change;
		return true;
	}

	/** Whether nobody can activate a task that others wait for. */
	#isLost(optional: number): boolean {
		return this.#phases[optional] === "dormant" && this.#activators === this.#unable[optional] && this.#isAwaited(optional);
	}

	#isAwaited(task: number): boolean {
		return (this.#plan.dependents[task] ?? []).some((dependent) => this.#phases[dependent] === "waiting");
	}

	#leaveOut(optional: number, ended: number[]): void {
		if (this.#isLost(optional)) this.#end(optional, "skipped", ended);
	}

	#stop(cause: StopCause, ended: number[]): void {
		if (this.#stoppedBy !== undefined || (cause === "abort" && this.isOver)) return;
		this.#stoppedBy = cause;
		this.#taken = this.#ready.length;
		for (const [task, phase] of this.#phases.entries()) {
			if (phase === "running" || isEnded(phase)) continue;
			this.#phases[task] = phase === "dormant" ? "skipped" : "cancelled";
			this.#left -= 1;
			ended.push(task);
		}
	}

	/**
	 * Where nothing runs and nothing can start, tasks are left that wait for an optional one which only tasks like them could activate: the
	 * first of these is left out, as nobody can activate it now. At the end those are left out that nobody waits for.
	 */
	#rest(ended: number[]): readonly number[] {
		while (this.#running === 0 && this.#taken === this.#ready.length && this.#left > 0) {
			const dormant = this.#plan.optional.filter((task) => this.#phases[task] === "dormant");
			const awaited = dormant.find((task) => this.#isAwaited(task));
			for (const task of awaited === undefined ? dormant : [awaited]) this.#end(task, "skipped", ended);
			if (dormant.length === 0) throw new Error(`The schedule is stuck with ${this.#left} tasks: its plan has a cycle.`);
		}
		return ended;
	}
}

const isEnded = (phase: TaskPhase): phase is TaskState =>
	phase !== "dormant" && phase !== "waiting" && phase !== "ready" && phase !== "running";
