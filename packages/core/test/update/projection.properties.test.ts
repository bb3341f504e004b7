import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { continues, mergeDeltas } from "../../src/stream/merge-deltas.js";
import type { StreamEvent } from "../../src/stream/stream-event.js";
import type { OutputEvent } from "../../src/update/output-event.js";
import { lifecycleProjection } from "../../src/update/project-lifecycle.js";
import { outputProjection } from "../../src/update/project-output.js";
import type { Projection } from "../../src/update/projection.js";
import { reduceToolCalls, type ToolCalls } from "../../src/update/reduce-tool-calls.js";
import { junkEvent, revoked } from "./junk.js";
import { eventOf } from "./published.js";
import { disordered, randomLog } from "./random-log.js";

const projected = (events: readonly StreamEvent[]): OutputEvent[] => events.flatMap(outputProjection().project);
const reduced = (events: readonly OutputEvent[]): ToolCalls => events.reduce(reduceToolCalls, new Map());

function afterSplit<Update>(projection: Projection<Update>, events: readonly StreamEvent[], at: number): readonly Update[] {
	for (const event of events.slice(0, at)) projection.observe(event);
	return events.slice(at).flatMap(projection.project);
}

/** The text of the chunks, by the part that each comes from. */
function textByPart(events: readonly StreamEvent[], updates: readonly OutputEvent[], kind: string): Map<string, string> {
	const parts = new Map(events.map(({ sequenceNumber, data }) => [sequenceNumber, (data as { partId?: string }).partId ?? ""]));
	const texts = new Map<string, string>();
	for (const { update, sequenceNumber } of updates) {
		if (update.sessionUpdate !== kind || !("content" in update) || update.content === undefined || !("text" in update.content)) continue;
		const part = parts.get(sequenceNumber ?? 0) ?? "";
		texts.set(part, (texts.get(part) ?? "") + update.content.text);
	}
	return texts;
}

function coalesced(events: readonly StreamEvent[]): StreamEvent[] {
	const merged: StreamEvent[] = [];
	for (const event of events) {
		const last = merged.at(-1);
		if (last !== undefined && continues(last, event)) merged[merged.length - 1] = mergeDeltas(last, event);
		else merged.push(event);
	}
	return merged;
}

describe("projections of random logs", () => {
	it("are the same from any place on, whoever listened before", () => {
		fc.assert(
			fc.property(randomLog, fc.nat(), (events, place) => {
				const at = place % (events.length + 1);
				const behind = ({ sequenceNumber = 0 }: { readonly sequenceNumber?: number }) => sequenceNumber > at;
				expect(afterSplit(outputProjection(), events, at)).toEqual(projected(events).filter(behind));
				expect(afterSplit(lifecycleProjection(), events, at)).toEqual(events.flatMap(lifecycleProjection().project).filter(behind));
			}),
		);
	});

	it("say in chunks what each part says as a whole", () => {
		fc.assert(
			fc.property(randomLog, (events) => {
				const ends = events
					.filter(({ event }) => event === "part.completed" || event === "part.failed")
					.map(({ data }) => data as Record<string, string>);
				const wholes = (type: string, role?: string) =>
					new Map(
						ends
							.filter((end) => end.type === type && end.role === role && end.finalContent !== "")
							.map((end) => [end.partId, end.finalContent]),
					);
				const updates = projected(events);
				expect(textByPart(events, updates, "agent_message_chunk")).toEqual(wholes("text"));
				expect(textByPart(events, updates, "user_message_chunk")).toEqual(wholes("text", "user"));
				expect(textByPart(events, updates, "agent_thought_chunk")).toEqual(
					new Map([...wholes("reasoning"), ...wholes("reasoning", "user")]),
				);
			}),
		);
	});

	it("leave no card open when a log ends as it should", () => {
		fc.assert(
			fc.property(randomLog, (events) => {
				const calls = events.filter(({ event, data }) => event === "part.completed" && "type" in data && data.type === "tool-call");
				const cards = [...reduced(projected(events)).values()];
				expect(cards.filter(({ isAnnounced }) => isAnnounced)).toHaveLength(calls.length);
				for (const card of cards) expect(card.status).toMatch(/^(completed|failed)$/);
			}),
		);
	});

	it("come to the same when neighbouring deltas were one event", () => {
		fc.assert(
			fc.property(randomLog, (events) => {
				const whole = projected(events);
				const merged = projected(coalesced(events));
				for (const kind of ["agent_message_chunk", "user_message_chunk", "agent_thought_chunk"]) {
					expect(textByPart(events, merged, kind)).toEqual(textByPart(events, whole, kind));
				}
				expect(reduced(merged)).toEqual(reduced(whole));
			}),
		);
	});

	it("have one start and one end for each run, and an agent that runs in between", () => {
		fc.assert(
			fc.property(randomLog, (events) => {
				const lives = events.flatMap(lifecycleProjection().project);
				for (const run of new Set(lives.map(({ runId }) => runId))) {
					const life = lives.filter(({ runId }) => runId === run);
					const ofRun = life.map(({ reason }) => reason).filter((reason) => reason.startsWith("run_"));
					expect(ofRun).toEqual(["run_start", expect.stringMatching(/^run_(complete|failed|interrupted)$/)]);
					for (const { agent } of life.slice(0, -1)) expect(agent).toBe("running");
				}
			}),
		);
	});

	it("reduce to the same calls when events come twice, and before those they follow", () => {
		fc.assert(
			fc.property(
				randomLog.chain((events) => fc.tuple(fc.constant(projected(events)), disordered(projected(events)))),
				([inOrder, mixed]) => {
					expect(reduced(mixed)).toEqual(reduced(inOrder));
				},
			),
		);
	});
});

describe("projections of junk", () => {
	it("never throw, and forget it with the log", () => {
		fc.assert(
			fc.property(fc.array(junkEvent, { maxLength: 12 }), (events) => {
				for (const projection of [outputProjection(), lifecycleProjection()]) {
					for (const event of events) {
						projection.observe(event);
						expect(projection.project(event).length).toBeLessThanOrEqual(1);
					}
				}
			}),
			{ numRuns: 2_000 },
		);
	});

	it.each([
		["the event", revoked],
		["the data", { event: "text.delta", data: revoked }],
		["an entry", eventOf("part.completed", { type: "tool-call", toolCallId: "c", locations: [revoked] })],
		["the usage", eventOf("usage.updated", { usageScope: "run", usage: revoked })],
		["the lifecycle", eventOf("metadata.updated", { type: "lifecycle", lifecycle: revoked })],
	])("never throw where %s does whatever is done with it", (_, event) => {
		for (const projection of [outputProjection(), lifecycleProjection()]) {
			expect(projection.project(event as StreamEvent)).toEqual([]);
			projection.observe(event as StreamEvent);
		}
	});

	it("never make a call that cannot be reduced", () => {
		fc.assert(
			fc.property(fc.array(junkEvent, { maxLength: 12 }), (events) => {
				for (const { toolCallId, status } of reduced(projected(events)).values()) {
					expect(toolCallId).not.toBe("");
					expect(status).toMatch(/^(pending|in_progress|completed|failed)$/);
				}
			}),
			{ numRuns: 1_000 },
		);
	});
});
