import { describe, expect, it } from "vitest";
import { StreamEvents } from "../../src/stream/stream-events.js";

// These names are what people write into their user interfaces, logs and databases. One may be added, at its place in the order of a run,
// with a changeset that says so; none may be renamed or taken away, and none may change its group, without a new major version.
const NAMES = [
	"run.started",
	"run.completed",
	"run.failed",
	"run.interrupted",
	"step.started",
	"step.completed",
	"step.failed",
	"part.created",
	"part.completed",
	"part.failed",
	"text.delta",
	"tool_call.arguments.delta",
	"tool_call.output.delta",
	"reasoning.delta",
	"data.delta",
	"hitl.requested",
	"hitl.resolved",
	"usage.updated",
	"metadata.updated",
	"stream.ended",
];
const LIFECYCLE = ["run.started", "run.completed", "run.failed", "run.interrupted"];
const DELTAS = ["text.delta", "tool_call.arguments.delta", "tool_call.output.delta", "reasoning.delta", "data.delta"];

describe("StreamEvents", () => {
	it("has these twenty names, four of the life of a run and five of pieces", () => {
		expect(StreamEvents.ALL).toEqual(NAMES);
		expect(StreamEvents.LIFECYCLE).toEqual(LIFECYCLE);
		expect(StreamEvents.DELTA).toEqual(DELTAS);
		expect([NAMES.length, LIFECYCLE.length, DELTAS.length]).toEqual([20, 4, 5]);
	});

	it("tells of each name what it is", () => {
		expect(NAMES.filter(StreamEvents.isValid)).toEqual(NAMES);
		expect(NAMES.filter(StreamEvents.isLifecycle)).toEqual(LIFECYCLE);
		expect(NAMES.filter(StreamEvents.isDelta)).toEqual(DELTAS);
	});

	it.each(["", "error", "RUN.STARTED", "run.started ", "constructor", "__proto__", "delta"])("knows no %j", (name) => {
		expect([StreamEvents.isValid(name), StreamEvents.isLifecycle(name), StreamEvents.isDelta(name)]).toEqual([false, false, false]);
	});

	it("cannot be changed", () => {
		for (const part of [StreamEvents, StreamEvents.ALL, StreamEvents.LIFECYCLE, StreamEvents.DELTA])
			expect(Object.isFrozen(part)).toBe(true);
	});
});
