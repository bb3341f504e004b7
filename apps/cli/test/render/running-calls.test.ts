import type { StreamEvent } from "@robot-lab/core";
import { expect, it } from "vitest";
import { columnsOf } from "../../src/render/fitted.js";
import { RunningCalls } from "../../src/render/running-calls.js";
import { COLOURED, PLAIN } from "../../src/render/style.js";
import { RAN, runEvents } from "./run-events.js";

const VIEW = { nowMs: 1_000, frame: 0, columns: 100, style: PLAIN };

function watching(...events: (StreamEvent | StreamEvent[])[]): RunningCalls {
	const calls = new RunningCalls();
	for (const event of events.flat()) calls.event(event, 0);
	return calls;
}

const lifecycle = (run: ReturnType<typeof runEvents>, toolCallId: string, reason: "sandbox_boot" | "sandbox_ready" | "command_start") =>
	run.publish("metadata.updated", { type: "lifecycle", toolCallId, lifecycle: { reason } });

/** A call whose script runs. */
const started = (run: ReturnType<typeof runEvents>, toolCallId: string): StreamEvent[] => [
	...run.called(toolCallId),
	lifecycle(run, toolCallId, "command_start"),
];

const said = (run: ReturnType<typeof runEvents>, toolCallId: string, delta: string): StreamEvent =>
	run.publish("tool_call.output.delta", { partId: `run-${toolCallId}`, toolCallId, delta, stream: "stdout" });

it("RunningCalls shows a call from the moment the model asks for it until it ends", () => {
	const run = runEvents();
	const [asked, args, begun] = run.called("1", { args: ["x"] });
	const calls = new RunningCalls();
	const states: (string | undefined)[] = [];
	for (const event of [
		asked,
		args,
		begun,
		lifecycle(run, "1", "sandbox_boot"),
		lifecycle(run, "1", "sandbox_ready"),
		lifecycle(run, "1", "command_start"),
		run.ended("1", { script: RAN }),
	]) {
		if (event !== undefined) calls.event(event, 500);
		states.push(calls.lines(VIEW)[0]);
	}
	expect(states).toEqual([
		"⠋ waiting 0.5 s  a__run",
		'⠋ waiting 0.5 s  a__run args=["x"]',
		'⠋ waiting 0.5 s  a__run args=["x"]',
		'⠋ starting sandbox 0.5 s  a__run args=["x"]',
		'⠋ starting sandbox 0.5 s  a__run args=["x"]',
		'⠋ running 0.5 s  a__run args=["x"]',
		undefined,
	]);
});

it("RunningCalls shows a tool that is no script as running from its beginning", () => {
	const begun = runEvents().publish("part.created", { partId: "p", type: "tool-output", toolCallId: "1", toolName: "search" });
	expect(watching(begun).lines(VIEW)).toEqual(["⠋ running 1.0 s  search"]);
});

it("RunningCalls shows calls side by side, each with the last line it put out, and turns the spinner", () => {
	const run = runEvents();
	const calls = watching(
		started(run, "1"),
		started(run, "2"),
		said(run, "2", "one\ntw"),
		said(run, "1", "10 %\r20 %\r"),
		said(run, "2", "o"),
	);
	expect(calls.lines(VIEW)).toEqual(["⠋ running 1.0 s  a__run  20 %", "⠋ running 1.0 s  a__run  two"]);
	expect(calls.lines({ ...VIEW, frame: 11 })[0]?.[0]).toBe("⠙");
	calls.event(run.ended("1", { script: RAN }), 0);
	expect(calls.lines(VIEW)).toEqual(["⠋ running 1.0 s  a__run  two"]);
});

it("RunningCalls shows that the model is waited for until it says something or its request is over", () => {
	const run = runEvents();
	const asked = run.publish("step.started", { stepId: "s", name: "model", attempt: 1 });
	const ends = [
		run.publish("part.created", { partId: "p", type: "text" }),
		run.publish("step.completed", { stepId: "s", name: "model", durationMs: 1 }),
		run.publish("step.failed", { stepId: "s", name: "model", durationMs: 1, error: { code: "inference", message: "no" } }),
	];
	for (const end of ends) {
		const calls = watching(asked);
		expect(calls.lines(VIEW)).toEqual(["⠋ waiting for the model 1.0 s"]);
		calls.event(end, 0);
		expect(calls.lines(VIEW)).toEqual([]);
	}
});

it("RunningCalls leaves no line of a call that was asked for and never made", () => {
	const run = runEvents();
	const [asked] = run.called("1");
	const failed = run.publish("part.failed", {
		partId: "asked-1",
		type: "tool-call",
		toolCallId: "1",
		finalContent: "",
		error: { code: "x", message: "x" },
	});
	expect(watching(asked ?? [], failed).lines(VIEW)).toEqual([]);
	expect(watching(asked ?? [], run.publish("stream.ended", {})).lines(VIEW)).toEqual([]);
});

it.each([1, 5, 12, 40, 80, 300])("RunningCalls' lines leave the last of %i columns free, whatever scripts and models write", (columns) => {
	const run = runEvents();
	const hostile = `${"漢字👩‍👩‍👧‍👦é\u0301\u001b[2J\u009b5;5H\u202e\t\u0000".repeat(40)}`;
	const tool = { toolName: hostile, skill: "a" };
	const calls = watching(run.called("1", { args: [hostile] }, tool), said(run, "1", hostile), run.called("2", {}, { toolName: "b" }));
	for (const style of [PLAIN, COLOURED]) {
		for (const line of calls.lines({ ...VIEW, columns, style })) {
			expect(columnsOf(line)).toBeLessThan(columns);
			// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not come through
			expect(line.replace(/\u001b\[\d+m/g, "")).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/);
		}
	}
});

it("RunningCalls takes colours out of what a script puts out and spells out what is left", () => {
	const run = runEvents();
	const calls = watching(started(run, "1"), said(run, "1", "\u001b[32mok\u001b[0m \u0007\u0008done\n"));
	expect(calls.lines(VIEW)).toEqual(["⠋ running 1.0 s  a__run  ok \\u0007\\u0008done"]);
});
