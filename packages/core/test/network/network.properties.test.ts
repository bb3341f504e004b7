import fc from "fast-check";
import { expect, it } from "vitest";
import { Network } from "../../src/network/network.js";
import { NetworkProjection } from "../../src/network/network-projection.js";
import type { NetworkResult, TaskOutcome } from "../../src/network/network-result.js";
import type { TaskOptions } from "../../src/network/task-options.js";
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
	readonly runs: ReadonlyMap<string, number>;
	readonly mostAtOnce: number;
}

/** Runs a plan; the order in which its robots come to their ends is the scheduler's. */
async function play(plan: Plan, scheduler: fc.Scheduler): Promise<Played> {
	const stop = new AbortController();
	const runs = new Map<string, number>();
	let atOnce = 0;
	let mostAtOnce = 0;
	const network = new Network<string>({ name: "random", concurrency: plan.concurrency, onFailure: plan.onFailure });
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
	return { network, result, events: log.after(0), runs, mostAtOnce };
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

it("keeps its promises over random graphs, robots, decisions and orders in which robots come to their ends", async () => {
	const seen = new Set<string>();
	await fc.assert(
		fc.asyncProperty(plans, fc.scheduler(), async (plan, scheduler) => {
			const { network, result, events, runs, mostAtOnce } = await play(plan, scheduler);
			assertWholeLog(events);
			expect(mostAtOnce).toBeLessThanOrEqual(plan.concurrency);
			expect(Object.keys(result.tasks)).toEqual(network.toJSON().tasks.map(({ name }) => name));
			const spans = spansOf(events);
			const states = new Map(outcomes(result).map(([name, { state }]) => [name, state]));
			for (const [name, { state, attempts, error }] of outcomes(result)) {
				seen.add(state);
				// a task that ran has its run in the log, which ended as the result says
				const span = spans.get(name);
				expect(span?.ending).toBe(
					attempts === 0 ? undefined : { done: "run.completed", failed: "run.failed", cancelled: "run.interrupted" }[state as string],
				);
				expect(attempts).toBe(runs.get(name) ?? 0);
				expect(attempts).toBeLessThanOrEqual((plan.tasks[Number(name.slice(1))]?.retries ?? 0) + 1);
				expect(Object.hasOwn(result.results, name)).toBe(state === "done");
				if (state === "failed") expect(error).toBeDefined();
				const { dependsOn } = network.toJSON().tasks.find((task) => task.name === name) ?? {};
				if (!Array.isArray(dependsOn)) continue;
				// it began behind the end of everything it waits for, of which something is done
				for (const dependency of dependsOn as string[]) {
					const before = spans.get(dependency);
					if (span && before) expect(before.to).toBeLessThan(span.from);
					if (span) expect(["done", "skipped"]).toContain(states.get(dependency));
				}
				if (span) expect((dependsOn as string[]).some((dependency) => states.get(dependency) === "done")).toBe(true);
				if (state === "blocked")
					expect((dependsOn as string[]).some((dependency) => /failed|blocked/.test(states.get(dependency) ?? ""))).toBe(true);
			}
			seen.add(result.status);
			if ([...states.values()].includes("failed")) expect(result.status).not.toBe("done");
			const fatal = [...spans]
				.filter(([name, { ending }]) => ending === "run.failed" && policyOf(plan, name) === "fail-fast")
				.map(([, { to }]) => to);
			// whatever stopped it, nothing begins behind the first failure that is to stop it
			if (fatal.length > 0) for (const { from } of spans.values()) expect(from).toBeLessThan(Math.min(...fatal));
			if (result.status === "halted") expect(result.value).toBe("halted");

			// what became of it can be told from the log alone
			const projection = new NetworkProjection();
			const output = outputProjection();
			for (const event of events) {
				projection.observe(event);
				output.observe(event);
			}
			const told = (tasks: Readonly<Record<string, { state: string; attempts?: number }>>): unknown =>
				Object.entries(tasks)
					.map(([name, { state, attempts = 0 }]) => [name, state, attempts])
					.toSorted();
			expect(told(projection.outcomes)).toEqual(told(result.tasks));
			expect(projection.drawing?.toJSON()).toEqual(JSON.parse(JSON.stringify(network)));
			expect(() => JSON.stringify(result)).not.toThrow();
		}),
		{ numRuns: 300 },
	);
	for (const expected of ["done", "failed", "skipped", "blocked", "cancelled", "halted"]) expect(seen).toContain(expected);
});

const policyOf = (plan: Plan, name: string): string => plan.tasks[Number(name.slice(1))]?.onFailure ?? plan.onFailure;

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
