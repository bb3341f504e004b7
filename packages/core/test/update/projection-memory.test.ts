import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import type { StreamEvent } from "../../src/stream/stream-event.js";
import { lifecycleProjection } from "../../src/update/project-lifecycle.js";
import { outputProjection } from "../../src/update/project-output.js";
import type { Projection } from "../../src/update/projection.js";
import { eventOf } from "./published.js";

const MEBIBYTE = 1_024 ** 2;

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

const PROJECTIONS: readonly [string, () => Projection<unknown>][] = [
	["outputProjection()", outputProjection],
	["lifecycleProjection()", lifecycleProjection],
];

/** Mebibytes that a projection holds after these events more than before. */
function heldAfter(projection: Projection<unknown>, events: Iterable<StreamEvent>): number {
	for (const event of [...run(-1), ...run(-2)]) projection.project(event);
	collectGarbage();
	const before = process.memoryUsage().heapUsed;
	for (const event of events) {
		projection.project(event);
		projection.observe(event);
	}
	collectGarbage();
	const held = process.memoryUsage().heapUsed - before;
	// used once more, so that it is not collected with what it holds
	projection.project(eventOf("text.delta", { delta: "Hi" }));
	return held / MEBIBYTE;
}

/** A run beneath the root with ids of a thousand characters, so that what is kept of them shows. */
function* run(number: number): Generator<StreamEvent> {
	const id = (name: string) => `${name}-${number}-${"x".repeat(1_000)}`;
	const origin = { runId: id("run"), parentRunId: "root" };
	const part = { ...origin, partId: id("part"), toolCallId: id("call") };
	yield eventOf("run.started", { ...origin, model: id("model"), parentToolCallId: id("above") });
	yield eventOf("part.created", { ...origin, partId: id("text"), type: "text", role: "user" });
	yield eventOf("part.completed", { ...part, type: "tool-call" });
	yield eventOf("part.created", { ...part, type: "tool-output" });
	yield eventOf("metadata.updated", { ...origin, type: "lifecycle", lifecycle: { reason: "sandbox_ready", sandboxId: id("sandbox") } });
	yield eventOf("tool_call.output.delta", { ...part, delta: id("output") });
	yield eventOf("run.completed", origin);
}

function* runs(count: number): Generator<StreamEvent> {
	for (let number = 0; number < count; number++) yield* run(number);
}

/** The parts of one run, each closed. */
function* parts(count: number): Generator<StreamEvent> {
	for (let number = 0; number < count; number++) {
		const part = { partId: `part-${number}-${"x".repeat(1_000)}`, toolCallId: `call-${number}-${"x".repeat(1_000)}` };
		yield eventOf("part.completed", { ...part, type: "tool-call" });
		yield eventOf("part.created", { ...part, type: "tool-output", role: "user" });
		yield eventOf("tool_call.output.delta", { ...part, delta: "output" });
		yield eventOf(number % 2 === 0 ? "part.completed" : "part.failed", { ...part, type: "tool-output" });
	}
}

function* deltas(count: number): Generator<StreamEvent> {
	for (let number = 0; number < count; number++) {
		yield eventOf("text.delta", { partId: "text", delta: `${number} `.repeat(50) });
		yield eventOf("tool_call.output.delta", { partId: "output", toolCallId: "call", delta: `${number} `.repeat(50) });
	}
}

/** Sandboxes of one run, each for one script. */
function* sandboxes(count: number): Generator<StreamEvent> {
	for (let number = 0; number < count; number++) {
		const sandboxId = `sandbox-${number}-${"x".repeat(1_000)}`;
		for (const reason of ["sandbox_boot", "sandbox_killed"])
			yield eventOf("metadata.updated", { type: "lifecycle", lifecycle: { reason, sandboxId } });
	}
}

describe.each(PROJECTIONS)("the memory of %s", (_, projection) => {
	it.each([
		["10,000 runs with ids of 1,000 characters", runs(10_000)],
		["10,000 parts with ids of 1,000 characters", parts(10_000)],
		["10,000 sandboxes with ids of 1,000 characters", sandboxes(10_000)],
		["100,000 deltas of text and of output", deltas(100_000)],
	])("is flat over %s", (_events, events) => {
		expect(heldAfter(projection(), events)).toBeLessThan(2);
	});
});
