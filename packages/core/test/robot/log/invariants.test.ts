import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { RobotResult } from "../../../src/message/robot-result.js";
import type { Robot } from "../../../src/robot/robot.js";
import { ReplyCallIds } from "../../../src/run/call-ids.js";
import type { StreamEvent } from "../../../src/stream/stream-event.js";
import type { Subscription } from "../../../src/stream/subscription.js";
import { assertWholeLog } from "../../../src/testing/whole-log.js";
import type { OutputEvent } from "../../../src/update/output-event.js";
import { type Plan, plans, robotFor, runPlan } from "./random-run.js";

const RUNS = 300;

interface Watched {
	readonly outcome: unknown;
	readonly events: readonly StreamEvent[];
	readonly updates: readonly OutputEvent[];
}

async function watch(plan: Plan, more: (robot: Robot) => void = () => {}): Promise<Watched> {
	const robot = robotFor(plan);
	const events: StreamEvent[] = [];
	const updates: OutputEvent[] = [];
	more(robot);
	robot.on("event", (event) => events.push(event));
	robot.on("content", (update) => updates.push(update));
	const outcome = await runPlan(plan, robot);
	// what a careless tool does later must not reach anybody
	await new Promise((resolve) => setImmediate(resolve));
	await new Promise((resolve) => setImmediate(resolve));
	return { outcome, events, updates };
}

/** A log without what differs from one time to the next: ids, times and durations. */
function comparable(events: readonly StreamEvent[]): unknown {
	const names = new Map<string, string>();
	const ID = /^([0-9a-f]{8}-[0-9a-f-]{27}|part_.*|call_[0-9a-f]{24})$/;
	const text = JSON.stringify(events, (key, value: unknown) => {
		if (key === "timestamp" || key === "durationMs") return 0;
		if (typeof value !== "string" || !ID.test(value)) return value;
		if (!names.has(value)) names.set(value, `id-${names.size}`);
		return names.get(value);
	});
	return JSON.parse(text);
}

// thousands of listeners fail here, each with its warning
beforeAll(() => void process.removeAllListeners("warning"));

describe("the log of a run, over random runs", () => {
	it("is whole, whatever the run goes through and however it ends", async () => {
		const endings = new Set<string>();
		let nested = 0;
		await fc.assert(
			fc.asyncProperty(plans, async (plan) => {
				const { events, outcome } = await watch(plan);
				assertWholeLog(events);
				const end = events.at(-2);
				endings.add(end?.event ?? "none");
				if (new Set(events.map(({ data }) => data.runId)).size > 1) nested++;
				if (outcome instanceof RobotResult) expect(end?.data).toMatchObject({ resultId: outcome.id });
				else expect(end?.event).toBe("run.failed");
			}),
			{ numRuns: RUNS },
		);
		expect([...endings].sort()).toEqual(["run.completed", "run.failed", "run.interrupted"]);
		expect(nested).toBeGreaterThan(0);
	});

	it("is the same whoever listens: listeners that throw, reject, go or come change nothing", async () => {
		await fc.assert(
			fc.asyncProperty(plans, async (plan) => {
				const quiet = await watch(plan);
				const crowded = await watch(plan, (robot) => {
					for (const channel of ["event", "content", "lifecycle", "stdout", "stderr"] as const) {
						robot.on(channel, () => { throw new Error("listener"); }); // biome-ignore format: one line
						robot.on(channel, async () => { throw new Error("listener"); }); // biome-ignore format: one line
						const once: Subscription = robot.on(channel, () => void once.unsubscribe());
						robot.on(channel, () => void robot.on(channel, () => {}).unsubscribe());
					}
				});
				expect(comparable(crowded.events)).toEqual(comparable(quiet.events));
				expect(crowded.updates.length).toBe(quiet.updates.length);
			}),
			{ numRuns: RUNS / 3 },
		);
	});

	it("gives content whose text is what was said, and leaves no card running", async () => {
		await fc.assert(
			fc.asyncProperty(plans, async (plan) => {
				const { events, updates } = await watch(plan);
				const said = (parts: readonly string[]): string => parts.join("");
				expect(
					said(
						updates.flatMap(({ update }) =>
							update.sessionUpdate === "agent_message_chunk" && update.content.type === "text" ? [update.content.text] : [],
						),
					),
				).toBe(said(events.flatMap((event) => (event.event === "text.delta" ? [event.data.delta] : []))));
				const states = new Map<string, unknown>();
				for (const { update } of updates) {
					if (update.sessionUpdate === "tool_call" || (update.sessionUpdate === "tool_call_update" && update.status !== undefined))
						states.set(update.toolCallId, update.status);
				}
				expect([...states.values()].filter((status) => status !== "completed" && status !== "failed")).toEqual([]);
			}),
			{ numRuns: RUNS },
		);
	});

	it("reads the same through stream(), aborted or not, whose log says it again from the beginning", async () => {
		await fc.assert(
			fc.asyncProperty(plans, async (plan) => {
				const controller = new AbortController();
				const stream = robotFor(plan).stream("go", { history: 100_000, signal: controller.signal });
				stream.log.subscribe(({ sequenceNumber }) => sequenceNumber === plan.abortAt && controller.abort());
				const read: StreamEvent[] = [];
				const failure = await (async () => {
					for await (const event of stream) read.push(event);
				})().catch((error: unknown) => error);
				const outcome = await stream.result.catch((error: unknown) => error);
				expect(failure).toBe(outcome instanceof RobotResult ? undefined : outcome);
				assertWholeLog(read);
				expect(stream.log.after(0)).toEqual(read);
			}),
			{ numRuns: RUNS / 3 },
		);
	});

	it("is whole for a reader that coalesces in a queue of four and reads only when all is over", async () => {
		let merged = 0;
		await fc.assert(
			fc.asyncProperty(plans, async (plan) => {
				const stream = robotFor(plan).stream("go", { capacity: 4, history: 100_000 });
				await stream.result.catch(() => {});
				const read: StreamEvent[] = [];
				await (async () => {
					for await (const event of stream) read.push(event);
				})().catch(() => {});
				assertWholeLog(read);
				expect(textsOf(read)).toEqual(textsOf(stream.log.after(0)));
				merged += read.filter(({ firstSequenceNumber }) => firstSequenceNumber !== undefined).length;
			}),
			{ numRuns: RUNS / 3 },
		);
		expect(merged).toBeGreaterThan(0);
	});
});

/** Every part's text, by part. */
function textsOf(events: readonly StreamEvent[]): Record<string, string> {
	const texts: Record<string, string> = {};
	for (const { data } of events) {
		const { partId, delta } = data as { readonly partId?: string; readonly delta?: string };
		if (partId !== undefined && delta !== undefined) texts[partId] = (texts[partId] ?? "") + delta;
	}
	return texts;
}

describe("ReplyCallIds", () => {
	it("gives a call the id that its arguments began with, and a second call of the provider's id another", () => {
		const ids = new ReplyCallIds(new Set(["old"]));
		const begun = ids.begin("a");
		expect([begun, ids.complete("a", false)]).toEqual(["a", "a"]);
		expect(ids.complete("a", false)).toMatch(/^call_/);
		expect(ids.begin("old")).toMatch(/^call_/);
	});
});
