import assert from "node:assert/strict";
import type { PartEnd, PartFacts, PublishedEvent, StreamEvent } from "../stream/stream-event.js";
import { StreamEvents } from "../stream/stream-events.js";

/**
 * Throws an AssertionError unless the events are the log of one root run from its beginning to its end, with nothing missing, twice or
 * left open: numbers without gaps, each run begun and ended once, its parts, steps and calls closed before it, each part's pieces the text
 * that its end repeats, nothing behind `stream.ended`.
 */
export function assertWholeLog(events: readonly (StreamEvent | PublishedEvent)[]): void {
	const log = events as readonly StreamEvent[];
	assertNumbers(log);
	assertRuns(log);
	for (const part of groupsOf(log, partOf).values()) assertPart(part);
	for (const step of groupsOf(log, ({ event, data }) =>
		event.startsWith("step.") && "stepId" in data ? (data.stepId as string) : undefined,
	).values()) {
		assertStep(step);
	}
	assertCalls(log);
}

/** Events of other names may have a partId of their own. */
const partOf = ({ event, data }: StreamEvent): string | undefined =>
	(event.startsWith("part.") || StreamEvents.isDelta(event)) && "partId" in data ? (data.partId as string) : undefined;

/** Merged deltas of parts that grow together have ranges that overlap: every number is in one of them, and the last ones go up. */
function assertNumbers(log: readonly StreamEvent[]): void {
	const covered = new Set<number>();
	let last = 0;
	for (const event of log) {
		const { sequenceNumber, firstSequenceNumber = sequenceNumber, id } = event;
		assert.ok(sequenceNumber > last, `the event behind ${last} has the number ${sequenceNumber}`);
		assert.ok(firstSequenceNumber >= 1 && firstSequenceNumber <= sequenceNumber, `${id} has a range that goes back`);
		assert.equal(id, `publish-${sequenceNumber}:${event.event}`);
		assertFrozen(event, id);
		for (let number = firstSequenceNumber; number <= sequenceNumber; number++) covered.add(number);
		last = sequenceNumber;
	}
	for (let number = 1; number <= last; number++) assert.ok(covered.has(number), `no event has the number ${number}`);
}

function assertFrozen(value: unknown, where: string): void {
	if (typeof value !== "object" || value === null) return;
	assert.ok(Object.isFrozen(value), `something in ${where} can be changed`);
	for (const entry of Object.values(value)) assertFrozen(entry, where);
}

const isEnd = ({ event }: StreamEvent): boolean => StreamEvents.isLifecycle(event) && event !== "run.started";

function assertRuns(log: readonly StreamEvent[]): void {
	const root = log[0]?.data.runId;
	assert.equal(log.at(-1)?.event, "stream.ended", "the last event is not stream.ended");
	assert.equal(log.filter(({ event }) => event === "stream.ended").length, 1, "stream.ended comes more than once");
	for (const [runId, events] of groupsOf(log, ({ data }) => data.runId)) {
		assert.equal(events[0]?.event, "run.started", `run ${runId} does not begin with run.started`);
		assert.equal(events.filter(isEnd).length, 1, `run ${runId} does not end exactly once`);
		const behind = events.slice(events.findIndex(isEnd) + 1).map(({ event }) => event);
		assert.deepEqual(behind, runId === root ? ["stream.ended"] : [], `something comes behind the end of run ${runId}`);
		const { parentRunId } = events[0]?.data ?? {};
		assert.equal(parentRunId === undefined, runId === root, `run ${runId} is beneath nobody, or the root beneath somebody`);
		if (parentRunId !== undefined) assertWithin(log, runId, parentRunId);
	}
}

/** A run beneath another lies within it. */
function assertWithin(log: readonly StreamEvent[], runId: string, parentRunId: string): void {
	const place = (run: string, isIt: (event: StreamEvent) => boolean): number =>
		log.findIndex((event) => event.data.runId === run && isIt(event));
	const isStart = ({ event }: StreamEvent): boolean => event === "run.started";
	assert.ok(
		place(parentRunId, isStart) >= 0 && place(parentRunId, isStart) < place(runId, isStart),
		`run ${runId} begins before its parent`,
	);
	assert.ok(place(runId, isEnd) < place(parentRunId, isEnd), `run ${runId} ends behind its parent`);
}

const PART_ID = /^[A-Za-z0-9_-]{1,40}$/;

function assertPart(events: readonly StreamEvent[]): void {
	const [created] = events;
	const ended = events.at(-1);
	const { partId, type } = (created?.data ?? {}) as PartFacts;
	assert.match(partId, PART_ID);
	assert.equal(created?.event, "part.created", `part ${partId} does not begin with part.created`);
	assert.match(ended?.event ?? "", /^part\.(completed|failed)$/, `part ${partId} is left open`);
	const deltas = events.slice(1, -1);
	for (const { event } of deltas) assert.ok(StreamEvents.isDelta(event), `${event} in the middle of part ${partId}`);
	const { finalContent, type: endType } = (ended?.data ?? {}) as PartEnd;
	assert.equal(
		deltas.map(({ data }) => ("delta" in data ? data.delta : "")).join(""),
		finalContent,
		`the pieces of part ${partId} are not its whole`,
	);
	assert.equal(endType, type);
}

function assertStep(events: readonly StreamEvent[]): void {
	assert.equal(events.length, 2, `a step does not begin and end exactly once: ${events.map(({ event }) => event).join(", ")}`);
	assert.equal(events[0]?.event, "step.started");
	assert.match(events[1]?.event ?? "", /^step\.(completed|failed)$/);
}

/** Every call that was announced has exactly one output, behind it; no two calls share an id. */
function assertCalls(log: readonly StreamEvent[]): void {
	const announced = log.flatMap((event, index) =>
		event.event === "part.completed" && event.data.type === "tool-call" ? [{ data: event.data, index }] : [],
	);
	const ids = announced.map(({ data }) => data.toolCallId);
	assert.equal(new Set(ids).size, ids.length, `two calls share an id: ${ids.join(", ")}`);
	for (const { data, index } of announced) {
		const outputs = log.flatMap((event, place) =>
			event.event === "part.created" && event.data.type === "tool-output" && event.data.toolCallId === data.toolCallId ? [place] : [],
		);
		assert.equal(outputs.length, 1, `call ${data.toolCallId} has ${outputs.length} outputs`);
		assert.ok((outputs[0] ?? -1) > index, `the output of call ${data.toolCallId} comes before it`);
	}
}

function groupsOf(log: readonly StreamEvent[], keyOf: (event: StreamEvent) => string | undefined): Map<string, StreamEvent[]> {
	const groups = new Map<string, StreamEvent[]>();
	for (const event of log) {
		const key = keyOf(event);
		if (key === undefined) continue;
		const group = groups.get(key);
		if (group === undefined) groups.set(key, [event]);
		else group.push(event);
	}
	return groups;
}
