import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { DrawnOutcome } from "../../src/network/drawn-task.js";
import { Network } from "../../src/network/network.js";
import { NetworkProjection } from "../../src/network/network-projection.js";
import type { NetworkResult, TaskOutcome } from "../../src/network/network-result.js";
import type { TaskOptions } from "../../src/network/task-options.js";
import type { TaskRunner } from "../../src/network/task-runner.js";
import type { Delegate } from "../../src/robot/delegation-future.js";
import { EventLog } from "../../src/stream/event-log.js";
import type { StreamEvent } from "../../src/stream/stream-event.js";
import { assertWholeLog } from "../../src/testing/whole-log.js";
import { outputProjection } from "../../src/update/project-output.js";
import { resultOf } from "./robots.js";

const MAX_TASKS = 8;

/** What a robot does in one attempt. */
const manners = ["answers", "answers", "answers", "throws", "rejects", "junk", "aborts itself", "errs", "stops it all"] as const;

const plans = fc.record({
	concurrency: fc.integer({ min: 1, max: 4 }),
	onFailure: fc.constantFrom("fail-fast" as const, "settle" as const),
	hasRunner: fc.boolean(),
	tasks: fc.array(
		fc.record({
			kind: fc.constantFrom("none", "optional", "names", "names", "names"),
			mask: fc.nat(2 ** MAX_TASKS - 1),
			attempts: fc.array(fc.constantFrom(...manners), { minLength: 3, maxLength: 3 }),
			retries: fc.nat(2),
			next: fc.constantFrom("none", "activates", "activates", "halts", "throws"),
			activate: fc.nat(2 ** MAX_TASKS - 1),
			onFailure: fc.constantFrom("fail-fast" as const, "settle" as const, undefined),
			fallback: fc.constantFrom("none", "none", "text", "throws"),
		}),
		{ minLength: 1, maxLength: MAX_TASKS },
	),
});

type Plan = typeof plans extends fc.Arbitrary<infer T> ? T : never;

interface Played {
	readonly network: Network<string>;
	readonly result: NetworkResult;
	readonly events: readonly StreamEvent[];
	/** By task: how often its robot was run. */
	readonly runs: ReadonlyMap<string, number>;
	readonly mostAtOnce: number;
	/** Those that the runner was asked with, where there is one. */
	readonly keys: readonly string[];
}

/** Runs a plan; the order in which its robots come to their ends is the scheduler's. */
async function play(plan: Plan, scheduler: fc.Scheduler): Promise<Played> {
	const stop = new AbortController();
	const runs = new Map<string, number>();
	let atOnce = 0;
	let mostAtOnce = 0;
	const keys: string[] = [];
	const runner: TaskRunner = {
		specificationVersion: "v1",
		name: "noting",
		run: ({ key, message }, { robot, options }) => {
			keys.push(key);
			return robot.run(message, options);
		},
	};
	const { concurrency, onFailure, hasRunner } = plan;
	const network = new Network<string>({ name: "random", concurrency, onFailure, runner: hasRunner ? runner : undefined });
	const nameOf = (place: number): string => `t${place}`;
	for (const [place, task] of plan.tasks.entries()) {
		const name = nameOf(place);
		const robot: Delegate = {
			name: "robot",
			run: (message, { signal } = {}) => {
				const attempt = runs.get(name) ?? 0;
				runs.set(name, attempt + 1);
				mostAtOnce = Math.max(mostAtOnce, ++atOnce);
				const manner = task.attempts[attempt] ?? "answers";
				if (manner === "throws") {
					atOnce--;
					throw new Error(`${name} throws`);
				}
				return scheduler.schedule(Promise.resolve(), name).then(() => {
					atOnce--;
					if (manner === "stops it all") stop.abort();
					if (signal?.aborted || manner === "aborts itself") return resultOf(message, "aborted");
					if (manner === "rejects") throw new Error(`${name} rejects`);
					if (manner === "junk") return { junk: true } as never;
					return resultOf(message, manner === "errs" ? "error" : "stop");
				});
			},
		};
		const optional = [...plan.tasks.keys()].filter((other) => task.activate & (1 << other) && plan.tasks[other]?.kind === "optional");
		const options: TaskOptions = {
			dependsOn:
				task.kind === "optional"
					? "optional"
					: task.kind === "none"
						? "none"
						: [...Array(place).keys()].filter((other) => task.mask & (1 << other)).map(nameOf),
			retries: { maxRetries: task.retries, sleep: async () => {} },
			...(task.onFailure && { onFailure: task.onFailure }),
			...(task.fallback !== "none" && {
				fallback: () => {
					if (task.fallback === "throws") throw new Error("the fallback throws");
					return "fallback";
				},
			}),
			...(task.next !== "none" && {
				next: (_result: unknown, flow: { activate(name: string): void; halt(value: unknown): void }) => {
					if (task.next === "throws") throw new Error("next throws");
					if (task.next === "halts") flow.halt("halted");
					for (const other of optional) flow.activate(nameOf(other));
				},
			}),
		};
		network.task(name, robot, options);
	}
	const log = new EventLog({ history: 10_000 });
	const result = await scheduler.waitFor(network.run({ message: "go", log, signal: stop.signal }));
	return { network, result, events: log.after(0), runs, mostAtOnce, keys };
}

const outcomes = (result: NetworkResult): [string, TaskOutcome][] => Object.entries(result.tasks);

/** By task: where in the log its run begins and ends. */
function spansOf(
	events: readonly StreamEvent[],
): ReadonlyMap<string, { readonly from: number; readonly to: number; readonly ending: string }> {
	const spans = new Map<string, { from: number; to: number; ending: string }>();
	for (const [from, { event, data }] of events.entries()) {
		if (event !== "run.started" || data.scope !== "task") continue;
		const to = events.findIndex((other, place) => place > from && other.data.runId === data.runId && /^run\./.test(other.event));
		expect(spans.has(data.name)).toBe(false);
		spans.set(data.name, { from, to, ending: events[to]?.event ?? "" });
	}
	return spans;
}

/** Plays random plans, and holds each to what is said of it. */
const holds = (check: (played: Played, plan: Plan) => void): Promise<void> =>
	fc.assert(
		fc.asyncProperty(plans, fc.scheduler(), async (plan, scheduler) => check(await play(plan, scheduler), plan)),
		{ numRuns: 150 },
	);

/** The task of a plan that has this name. */
const plannedAs = (plan: Plan, name: string): Plan["tasks"][number] => plan.tasks[Number(name.slice(1))] as Plan["tasks"][number];

const policyOf = (plan: Plan, name: string): string => plannedAs(plan, name).onFailure ?? plan.onFailure;

describe("A network, whatever its graph, its robots, their decisions and the order in which they come to their ends,", () => {
	it("starts a task behind the end of all that it depends on, of which something is done and nothing failed", async () => {
		await holds(({ network, result, events }) => {
			const spans = spansOf(events);
			for (const { name, dependsOn } of network.toJSON().tasks) {
				const span = spans.get(name);
				if (span === undefined || !Array.isArray(dependsOn)) continue;
				for (const dependency of dependsOn as string[]) {
					const before = spans.get(dependency);
					if (before) expect(before.to).toBeLessThan(span.from);
					expect(["done", "skipped"]).toContain(result.tasks[dependency]?.state);
				}
				expect((dependsOn as string[]).some((dependency) => result.tasks[dependency]?.state === "done")).toBe(true);
			}
		});
	});

	it("runs a robot once for each attempt, of which there are no more than retries allow, with a key of its own, and no more at once than it may", async () => {
		await holds(({ result, events, runs, mostAtOnce, keys }, plan) => {
			expect(mostAtOnce).toBeLessThanOrEqual(plan.concurrency);
			expect(new Set(keys).size).toBe(keys.length);
			if (plan.hasRunner) expect(keys).toHaveLength([...runs.values()].reduce((sum, count) => sum + count, 0));
			const told = attemptsTold(events);
			for (const [name, { attempts }] of outcomes(result)) {
				expect(attempts).toBe(runs.get(name) ?? 0);
				expect(attempts).toBeLessThanOrEqual(plannedAs(plan, name).retries + 1);
				// one that may be tried again, or has a fallback, says so of each attempt
				const numbers = told.get(name);
				if (numbers !== undefined) expect(numbers).toEqual(Array.from({ length: attempts }, (_, place) => place + 1));
			}
		});
	});

	it("brings each task to exactly one end, in its result as in its log, and each kind of end comes", async () => {
		const seen = new Set<string>();
		await holds(({ network, result, events }) => {
			assertWholeLog(events);
			seen.add(result.status);
			expect(Object.keys(result.tasks)).toEqual(network.toJSON().tasks.map(({ name }) => name));
			const spans = spansOf(events);
			const unrun = events.flatMap(({ event, data }) => (event === "network.task" ? [(data as unknown as { task: string }).task] : []));
			for (const [name, { state, attempts, error }] of outcomes(result)) {
				seen.add(state);
				// in the log as a run that ended so, or as one that never was
				const ending = { done: "run.completed", failed: "run.failed", cancelled: "run.interrupted" }[state as string];
				expect([spans.get(name)?.ending, unrun.filter((other) => other === name).length]).toEqual(
					attempts > 0 ? [ending, 0] : [undefined, 1],
				);
				expect(Object.hasOwn(result.results, name)).toBe(state === "done");
				if (state === "failed") expect(error).toBeInstanceOf(Error);
				if (state === "failed") expect(result.status).not.toBe("done");
				const { dependsOn } = network.toJSON().tasks.find((task) => task.name === name) ?? {};
				if (state === "blocked")
					expect((dependsOn as string[]).some((dependency) => /failed|blocked/.test(result.tasks[dependency]?.state ?? ""))).toBe(true);
			}
			if (result.status === "halted") expect(result.value).toBe("halted");
			expect(() => JSON.stringify(result)).not.toThrow();
		});
		for (const expected of ["done", "failed", "skipped", "blocked", "cancelled", "halted"]) expect(seen).toContain(expected);
	});

	it("starts nothing behind the first failure that is to stop it", async () => {
		let stopped = 0;
		await holds(({ events }, plan) => {
			const spans = spansOf(events);
			const fatal = [...spans]
				.filter(([name, { ending }]) => ending === "run.failed" && policyOf(plan, name) === "fail-fast")
				.map(([, { to }]) => to);
			if (fatal.length === 0) return;
			stopped += 1;
			for (const { from } of spans.values()) expect(from).toBeLessThan(Math.min(...fatal));
		});
		expect(stopped).toBeGreaterThan(10);
	});

	it("is told whole by its log: a drawing and a transcript are made from that alone", async () => {
		await holds(({ network, result, events }) => {
			const projection = new NetworkProjection();
			const output = outputProjection();
			for (const event of events) {
				projection.observe(event);
				output.observe(event);
			}
			const told = (tasks: Readonly<Record<string, DrawnOutcome>>): unknown =>
				Object.entries(tasks)
					.map(([name, { state, attempts = 0, error }]) => [name, state, attempts, error?.message])
					.toSorted();
			expect(told(projection.outcomes)).toEqual(told(result.tasks));
			expect(projection.drawing?.toJSON()).toEqual(JSON.parse(JSON.stringify(network)));
		});
	});
});

/** By task that tells of its attempts: their numbers. */
function attemptsTold(events: readonly StreamEvent[]): ReadonlyMap<string, readonly number[]> {
	const names = new Map(events.flatMap(({ event, data }) => (event === "run.started" ? [[data.runId, data.name] as const] : [])));
	const told = new Map<string, number[]>();
	for (const { event, data } of events) {
		if (event !== "step.started" || data.name !== "attempt") continue;
		const name = names.get(data.runId) ?? "";
		told.set(name, [...(told.get(name) ?? []), data.attempt]);
	}
	return told;
}

it("writes the same log twice when everything comes in the same order", async () => {
	await fc.assert(
		fc.asyncProperty(plans, fc.nat(), async (plan, seed) => {
			const comparable = async (): Promise<unknown> => {
				const [scheduler] = fc.sample(fc.scheduler(), { seed, numRuns: 1 });
				const { events } = await play(plan, scheduler as fc.Scheduler);
				const names = new Map(events.map(({ data }, index) => [data.runId, index]));
				return events.map(({ event, data }) => ({ event, run: names.get(data.runId), name: "name" in data ? data.name : undefined }));
			};
			expect(await comparable()).toEqual(await comparable());
		}),
		{ numRuns: 20 },
	);
});
