import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Schedule, type TaskPhase } from "../../src/network/schedule.js";
import { type PlannedTask, schedulePlan } from "../../src/network/schedule-plan.js";

const MAX_TASKS = 12;
const ENDED: readonly (TaskPhase | undefined)[] = ["done", "failed", "skipped", "blocked", "cancelled"];

const tasks: fc.Arbitrary<PlannedTask[]> = fc
	.array(
		fc.record({
			kind: fc.constantFrom("none", "optional", "names", "names", "names"),
			mask: fc.nat(2 ** MAX_TASKS - 1),
			canActivate: fc.boolean(),
		}),
		{ minLength: 1, maxLength: MAX_TASKS },
	)
	.map((list) =>
		list.map(({ kind, mask, canActivate }, place) => ({
			isOptional: kind === "optional",
			canActivate,
			dependencies: kind === "names" ? [...Array(place).keys()].filter((other) => mask & (1 << other)) : [],
		})),
	);

/** What the schedule is told next: which of the running tasks ends, and how. */
const moves = fc.array(
	fc.record({
		which: fc.nat(MAX_TASKS),
		how: fc.constantFrom("done", "done", "done", "done", "failed", "fatal", "halt", "stop"),
		activate: fc.nat(2 ** MAX_TASKS - 1),
	}),
	{ minLength: 40, maxLength: 40 },
);

interface Played {
	readonly schedule: Schedule;
	readonly ran: readonly number[];
	readonly unrun: readonly number[];
	readonly isStopped: boolean;
}

/** Plays a schedule to its end, and looks at every step whether it may be so. */
function play(
	list: readonly PlannedTask[],
	steps: readonly { which: number; how: string; activate: number }[],
	concurrency: number,
	calm: boolean,
): Played {
	const plan = schedulePlan(list);
	const schedule = new Schedule(plan);
	const running: number[] = [];
	const ran: number[] = [];
	const unrun: number[] = [...schedule.begin()];
	const activated = new Set<number>();
	const phase = (task: number): TaskPhase | undefined => schedule.phaseOf(task);
	const closure = list.map((_, task) => waitingFor(task, list));
	/** Whether one task can activate another without waiting for it. */
	const isAble = (one: number, other: number): boolean =>
		list[one]?.canActivate === true && !ENDED.includes(phase(one)) && phase(one) !== "dormant" && !closure[other]?.has(one);
	for (const { which, how, activate } of steps) {
		while (running.length < concurrency) {
			const task = schedule.take();
			if (task === undefined) break;
			const { isOptional, dependencies } = list[task] as PlannedTask;
			expect(ran).not.toContain(task);
			expect(schedule.stoppedBy).toBeUndefined();
			expect(dependencies.every((dependency) => ENDED.includes(phase(dependency)))).toBe(true);
			expect(dependencies.length === 0 || dependencies.some((dependency) => phase(dependency) === "done")).toBe(true);
			expect(isOptional).toBe(activated.has(task));
			ran.push(task);
			running.push(task);
		}
		if (schedule.isOver) break;
		// something runs, or it would be over: nothing waits for ever
		expect(running.length).toBeGreaterThan(0);
		for (const [task, one] of list.entries()) {
			// an optional task that others wait for waits itself only while somebody could activate it who does not wait for it
			const isAwaited = list.some(({ dependencies }, other) => dependencies.includes(task) && phase(other) === "waiting");
			if (!one.isOptional || phase(task) !== "dormant" || !isAwaited) continue;
			expect(list.some((_, other) => isAble(other, task))).toBe(true);
		}
		const [task = 0] = running.splice(which % running.length, 1);
		const chosen = [...list.keys()].filter((other) => list[other]?.isOptional && activate & (1 << other));
		const isAwaited = (one: number): boolean =>
			list.some(({ dependencies }, other) => dependencies.includes(one) && phase(other) === "waiting");
		const awaited = [...list.keys()].filter((one) => phase(one) === "dormant" && isAwaited(one));
		if (schedule.stoppedBy !== undefined) unrun.push(...schedule.cancelled(task));
		else if (how === "failed") unrun.push(...schedule.failed(task, false));
		else if (how === "fatal" && !calm) unrun.push(...schedule.failed(task, true));
		else {
			const halts = how === "halt" && !calm;
			const wanted = list[task]?.canActivate ? chosen.filter((other) => phase(other) === "dormant") : [];
			for (const one of halts ? [] : wanted) activated.add(one);
			unrun.push(...schedule.done(task, { activate: wanted, halts }));
			if (how === "stop" && !calm) unrun.push(...schedule.stop());
		}
		if (schedule.stoppedBy !== undefined) continue;
		// nobody was left out who might still have been activated, while something runs that could lead to that
		for (const one of running.length > 0 ? awaited.filter((other) => phase(other) === "skipped") : []) {
			expect(list.some((_, other) => isAble(other, one))).toBe(false);
		}
	}
	return { schedule, ran, unrun, isStopped: schedule.stoppedBy !== undefined };
}

function waitingFor(task: number, list: readonly PlannedTask[]): ReadonlySet<number> {
	const waiting = new Set([task]);
	for (const [other, { dependencies }] of list.entries()) if (dependencies.some((one) => waiting.has(one))) waiting.add(other);
	return waiting;
}

describe("Schedule, over random graphs and random ends of tasks", () => {
	it("starts a task once, when all it waits for has ended, and brings every task to exactly one end", () => {
		const seen = new Set<unknown>();
		fc.assert(
			fc.property(tasks, moves, fc.integer({ min: 1, max: 4 }), (list, steps, concurrency) => {
				const { schedule, ran, unrun } = play(list, steps, concurrency, false);
				expect(schedule.isOver).toBe(true);
				expect([...ran, ...unrun].toSorted((one, other) => one - other)).toEqual([...list.keys()]);
				for (const task of list.keys()) {
					const phase = schedule.phaseOf(task);
					seen.add(phase).add(schedule.stoppedBy);
					expect(ENDED).toContain(phase);
					expect(ran.includes(task)).toBe(phase === "done" || phase === "failed" || (phase === "cancelled" && !unrun.includes(task)));
				}
			}),
			{ numRuns: 600 },
		);
		expect([...seen].map(String).toSorted()).toEqual([
			"abort",
			"blocked",
			"cancelled",
			"done",
			"failed",
			"failure",
			"halt",
			"skipped",
			"undefined",
		]);
	});

	it("blocks what depends on a failure, and skips what depends on skipped tasks alone, where nothing stops it", () => {
		fc.assert(
			fc.property(tasks, moves, fc.integer({ min: 1, max: 4 }), (list, steps, concurrency) => {
				const { schedule, ran } = play(list, steps, concurrency, true);
				for (const [task, { isOptional, dependencies }] of list.entries()) {
					const before = dependencies.map((dependency) => schedule.phaseOf(dependency));
					const phase = schedule.phaseOf(task);
					expect(phase).not.toBe("cancelled");
					if (isOptional) expect(phase === "skipped").toBe(!ran.includes(task));
					else if (before.some((state) => state === "failed" || state === "blocked")) expect(phase).toBe("blocked");
					else if (before.length > 0 && before.every((state) => state === "skipped")) expect(phase).toBe("skipped");
					else expect(["done", "failed"]).toContain(phase);
				}
			}),
			{ numRuns: 600 },
		);
	});

	it("starts tasks that become ready together in the order in which they were defined", () => {
		fc.assert(
			fc.property(fc.integer({ min: 1, max: 20 }), (count) => {
				const list = Array.from({ length: count }, () => ({ isOptional: false, canActivate: false, dependencies: [] }));
				const schedule = new Schedule(schedulePlan(list));
				schedule.begin();
				expect(list.map(() => schedule.take())).toEqual([...list.keys()]);
				expect(schedule.take()).toBeUndefined();
			}),
		);
	});
});

describe("Schedule", () => {
	const optional = { isOptional: true, canActivate: false, dependencies: [] };
	const task = (dependencies: readonly number[], canActivate = false): PlannedTask => ({ isOptional: false, canActivate, dependencies });
	const done = { activate: [], halts: false };

	it("lets go of an optional task that two tasks wait for which could activate each other's, the first one only", () => {
		// 2 waits for 0 and could activate 1; 3 waits for 1 and could activate 0
		const schedule = new Schedule(schedulePlan([optional, optional, task([0, 4], true), task([1, 4], true), task([])]));
		schedule.begin();
		expect(schedule.take()).toBe(4);
		expect(schedule.done(4, done)).toEqual([0]);
		expect(schedule.take()).toBe(2);
		expect(schedule.take()).toBeUndefined();
		schedule.done(2, { activate: [1], halts: false });
		expect(schedule.take()).toBe(1);
		schedule.done(1, done);
		expect(schedule.take()).toBe(3);
	});

	it("starts nothing that a task activates which halts everything", () => {
		const schedule = new Schedule(schedulePlan([optional, task([], true)]));
		schedule.begin();
		expect(schedule.take()).toBe(1);
		expect(schedule.done(1, { activate: [0], halts: true })).toEqual([0]);
		expect([schedule.phaseOf(0), schedule.stoppedBy]).toEqual(["skipped", "halt"]);
	});

	it("does not let a task wait for one that goes on and could not activate what it waits for", () => {
		const schedule = new Schedule(schedulePlan([optional, task([], true), task([]), task([0, 1])]));
		schedule.begin();
		expect([schedule.take(), schedule.take()]).toEqual([1, 2]);
		expect(schedule.done(1, done)).toEqual([0]);
		expect(schedule.take()).toBe(3);
	});

	it("ends a chain of 20,000 tasks, and one that is blocked, without running out of stack", () => {
		const chain = Array.from({ length: 20_000 }, (_, place) => task(place === 0 ? [] : [place - 1]));
		const schedule = new Schedule(schedulePlan(chain));
		schedule.begin();
		for (let next = schedule.take(); next !== undefined; next = schedule.take()) schedule.done(next, done);
		expect(schedule.isOver).toBe(true);
		const blocked = new Schedule(schedulePlan(chain));
		blocked.begin();
		expect(blocked.take()).toBe(0);
		expect(blocked.failed(0, false)).toHaveLength(19_999);
	});
});
