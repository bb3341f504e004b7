import { describe, expect, it } from "vitest";
import type { StreamContext } from "../../src/stream/stream-context.js";
import type { StreamEvent } from "../../src/stream/stream-event.js";
import type { LifecycleEvent } from "../../src/update/lifecycle-event.js";
import { STATES_AFTER } from "../../src/update/lifecycle-states.js";
import { lifecycleProjection } from "../../src/update/project-lifecycle.js";
import { eventOf, published } from "./published.js";

const projected = (events: readonly StreamEvent[]): LifecycleEvent[] => events.flatMap(lifecycleProjection().project);
const step = (reason: string, facts: object = {}) => eventOf("metadata.updated", { type: "lifecycle", lifecycle: { reason, ...facts } });
const states = (events: readonly LifecycleEvent[]) => events.map(({ reason, sandbox, agent }) => `${reason}: ${sandbox}, ${agent}`);

describe("lifecycleProjection()", () => {
	it("shows a robot that runs all the while in which its scripts come and go", () => {
		const events = published((root) => {
			const told = (toolCallId: string, reason: string, sandboxId: string) =>
				root.publishEvent({ event: "metadata.updated", data: { type: "lifecycle", toolCallId, lifecycle: { reason, sandboxId } } });
			root.publishEvent({ event: "run.started", data: { name: "r" } });
			for (const reason of ["sandbox_boot", "sandbox_ready", "command_start"]) told("a", reason, "s1");
			for (const reason of ["sandbox_boot", "sandbox_error"]) told("b", reason, "s2");
			for (const reason of ["command_failed", "browser_ready", "sandbox_killed", "browser_ready"]) told("a", reason, "s1");
			root.publishEvent({ event: "run.completed", data: { name: "r", durationMs: 1 } });
			root.publishEvent({ event: "stream.ended" });
		});
		expect(projected(events).map(({ sandboxId, sandbox, agent, toolCallId }) => [sandboxId, sandbox, agent, toolCallId])).toEqual([
			[null, "running", "running", undefined],
			["s1", "booting", "running", "a"],
			["s1", "ready", "running", "a"],
			["s1", "running", "running", "a"],
			["s2", "booting", "running", "b"],
			["s2", "error", "running", "b"],
			["s1", "ready", "running", "a"],
			["s1", "ready", "running", "a"],
			["s1", "stopped", "running", "a"],
			["s1", "stopped", "running", "a"],
			[null, "ready", "idle", undefined],
		]);
	});

	const AFTER = [
		["browser_ready", "stopped", "idle"],
		["sandbox_boot", "booting", "idle"],
		["sandbox_ready", "ready", "idle"],
		["sandbox_connected", "ready", "idle"],
		["sandbox_pause", "paused", "idle"],
		["sandbox_resume", "ready", "idle"],
		["sandbox_killed", "stopped", "idle"],
		["sandbox_error", "error", "error"],
		["run_start", "running", "running"],
		["run_complete", "ready", "idle"],
		["run_interrupted", "ready", "interrupted"],
		["run_failed", "ready", "error"],
		["run_background_complete", "ready", "idle"],
		["run_background_failed", "ready", "error"],
		["command_start", "running", "running"],
		["command_complete", "ready", "idle"],
		["command_failed", "ready", "error"],
		["command_interrupted", "ready", "interrupted"],
		["command_background_complete", "ready", "idle"],
		["command_background_failed", "ready", "error"],
	] as const;

	it("knows every reason", () => {
		expect(AFTER.map(([reason]) => reason).sort()).toEqual(Object.keys(STATES_AFTER).sort());
	});

	it.each(AFTER)("says after %s, while no run is open: %s, %s", (reason, sandbox, agent) => {
		expect(states(projected([step(reason)]))).toEqual([`${reason}: ${sandbox}, ${agent}`]);
		const [, during] = projected([eventOf("run.started"), step(reason, { sandboxId: "s" })]);
		expect(during).toMatchObject({ reason, sandboxId: "s", sandbox, agent: "running" });
	});

	it("leaves as they were the states that a reason says nothing of", () => {
		const steps = ["sandbox_pause", "browser_ready", "command_failed", "sandbox_boot", "browser_ready"].map((reason) => step(reason));
		expect(states(projected(steps))).toEqual([
			"sandbox_pause: paused, idle",
			"browser_ready: paused, idle",
			"command_failed: ready, error",
			"sandbox_boot: booting, error",
			"browser_ready: booting, error",
		]);
	});

	const ENDS = AFTER.map(([reason]) => reason).filter((reason) => /^(run|command)_.*(complete|failed|interrupted)$/.test(reason));

	it.each(ENDS.flatMap((end) => [["sandbox_killed", "stopped", end] as const, ["sandbox_error", "error", end] as const]))(
		"leaves a sandbox as %s has left it, %s, when %s is told behind it",
		(down, state, end) => {
			const steps = ["sandbox_ready", "command_start", down, end].map((reason) => step(reason, { sandboxId: "s" }));
			const other = step(end, { sandboxId: "other" });
			expect(projected([...steps, other]).map(({ sandbox }) => sandbox)).toEqual(["ready", "running", state, state, "ready"]);
		},
	);

	it("remembers that of many sandboxes whose commands are told to have ended behind all of theirs", () => {
		const ids = Array.from({ length: 40 }, (_, index) => `s${index}`);
		const told = (reason: string) => ids.map((sandboxId) => step(reason, { sandboxId }));
		const last = projected(["command_start", "sandbox_killed", "command_interrupted"].flatMap(told)).slice(-ids.length);
		expect(last.map(({ sandbox }) => sandbox)).toEqual(ids.map(() => "stopped"));
	});

	it("has a sandbox that was stopped, or failed, come up again", () => {
		const steps = ["sandbox_killed", "sandbox_boot", "sandbox_error", "sandbox_ready", "command_start", "command_complete"];
		expect(projected(steps.map((reason) => step(reason, { sandboxId: "s" }))).map(({ sandbox }) => sandbox)).toEqual([
			"stopped",
			"booting",
			"error",
			"ready",
			"running",
			"ready",
		]);
	});

	it.each([
		["run.completed", "run_complete: ready, idle"],
		["run.failed", "run_failed: ready, error"],
		["run.interrupted", "run_interrupted: ready, interrupted"],
	])("says of a run beneath another how it began and, by %s, how it ended", (event, end) => {
		const events = published((root) => {
			root.publishEvent({ event: "run.started", data: { name: "root" } });
			const child: StreamContext = root.createChildContext("child");
			child.publishEvent({ event: "run.started", data: { name: "child" } });
			child.publishEvent({ event, data: {} });
			root.publishEvent({ event: "metadata.updated", data: { type: "lifecycle", lifecycle: { reason: "command_complete" } } });
			root.publishEvent({ event, data: {} });
		});
		expect(states(projected(events))).toEqual([
			"run_start: running, running",
			"run_start: running, running",
			end,
			"command_complete: ready, running",
			end,
		]);
		expect(projected(events).map(({ runId }) => runId)).toEqual(["root", "child", "child", "root", "root"]);
	});

	it("forgets what was open when the log ends", () => {
		const projection = lifecycleProjection();
		const events = [eventOf("run.started", { runId: "a" }), step("sandbox_ready", { sandboxId: "s" }), eventOf("stream.ended")];
		for (const event of events) projection.observe(event);
		expect(states(projection.project(step("command_complete")) as LifecycleEvent[])).toEqual(["command_complete: ready, idle"]);
		expect(projection.project(step("browser_ready", { sandboxId: "s" }))).toMatchObject([{ sandbox: "stopped" }]);
	});

	it("says what there is to say", () => {
		const facts = {
			sandboxId: "s",
			browser: { liveUrl: "https://live.example", sessionId: "b", sessionTag: 3, other: 1 },
			detail: { exitCode: 0 },
		};
		const event = eventOf("metadata.updated", { type: "lifecycle", toolCallId: "c", lifecycle: { reason: "browser_ready", ...facts } });
		expect(projected([event])).toStrictEqual([
			{
				sandboxId: "s",
				sandbox: "stopped",
				agent: "idle",
				timestamp: "2026-03-01T12:00:00.000Z",
				reason: "browser_ready",
				browser: { liveUrl: "https://live.example", sessionId: "b" },
				toolCallId: "c",
				detail: { exitCode: 0 },
				runId: "root",
				sequenceNumber: 1,
			},
		]);
		expect(Object.isFrozen(projected([event])[0])).toBe(true);
	});

	it("gives the beginning of time for one that is none", () => {
		expect(projected([{ ...step("sandbox_boot"), timestamp: Number.NaN } as StreamEvent])[0]?.timestamp).toBe("1970-01-01T00:00:00.000Z");
	});

	it.each([
		["a reason that is none", step("sandbox_melted")],
		["a name that every object has", step("toString")],
		["no lifecycle", eventOf("metadata.updated", { type: "lifecycle" })],
		["another type", eventOf("metadata.updated", { type: "warning", lifecycle: { reason: "sandbox_boot" } })],
		["text", eventOf("text.delta", { delta: "sandbox_boot" })],
		["no number", eventOf("run.started", {}, { sequenceNumber: undefined as never })],
	])("makes nothing of %s", (_, event) => {
		expect(projected([event])).toEqual([]);
	});
});
