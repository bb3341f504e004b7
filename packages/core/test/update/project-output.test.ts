import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { StreamEvent } from "../../src/stream/stream-event.js";
import type { OutputEvent } from "../../src/update/output-event.js";
import { outputProjection } from "../../src/update/project-output.js";
import { eventOf, published } from "./published.js";

const projected = (events: readonly StreamEvent[]): OutputEvent[] => events.flatMap(outputProjection().project);
const updates = (...events: StreamEvent[]) => projected(events).map(({ update }) => update);
const text = (value: string) => [{ type: "content", content: { type: "text", text: value } }];

const OUTPUT = { partId: "p", type: "tool-output", toolCallId: "c1", toolName: "count" };
const CALL = { partId: "p", type: "tool-call", toolCallId: "c1", toolName: "count" };

describe("outputProjection()", () => {
	it("shows a listener that comes in the middle what it would have shown from the beginning", () => {
		const events = published((root) => {
			root.publishEvent({ event: "run.started", data: { name: "r", model: "offline/echo" } });
			root.publishEvent({ event: "part.created", data: { partId: "u", type: "text", role: "user" } });
			root.publishEvent({ event: "part.created", data: OUTPUT });
			root.publishEvent({ event: "tool_call.output.delta", data: { partId: "p", toolCallId: "c1", delta: "one ", stream: "stdout" } });
			root.publishEvent({ event: "tool_call.output.delta", data: { partId: "p", toolCallId: "c1", delta: "two", stream: "stderr" } });
			root.publishEvent({ event: "text.delta", data: { partId: "u", delta: "hello" } });
		});
		const late = outputProjection();
		for (const event of events.slice(0, 4)) late.observe(event);
		expect(events.slice(4).flatMap(late.project)).toEqual(projected(events).slice(-2));
		expect(projected(events).at(-2)?.update).toMatchObject({ status: "in_progress", content: text("one two") });
		expect(projected(events).at(-1)?.update).toMatchObject({ sessionUpdate: "user_message_chunk" });
	});

	it("shows no lone half of a character where a long output is cut, and no more than 16 Ki characters", () => {
		const [update] = updates(eventOf("tool_call.output.delta", { partId: "p", toolCallId: "c1", delta: `😀${"x".repeat(16_383)}` }));
		expect(update).toMatchObject({ content: text("x".repeat(16_383)) });
		const [whole] = updates(eventOf("tool_call.output.delta", { partId: "p", toolCallId: "c1", delta: `a😀${"x".repeat(16_382)}` }));
		expect(whole).toMatchObject({ content: text(`😀${"x".repeat(16_382)}`) });
	});

	it.each([
		["text.delta", { partId: "p", delta: "Hi" }, { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "Hi" } }],
		["text.delta", { partId: "p", delta: " \n" }, { sessionUpdate: "agent_message_chunk", content: { type: "text", text: " \n" } }],
		["reasoning.delta", { partId: "p", delta: "Hm" }, { sessionUpdate: "agent_thought_chunk", content: { type: "text", text: "Hm" } }],
		[
			"part.completed",
			{ partId: "p", type: "file", mediaType: "image/png", finalContent: "iVBO" },
			{ sessionUpdate: "agent_message_chunk", content: { type: "image", data: "iVBO", mimeType: "image/png" } },
		],
		[
			"part.completed",
			{ partId: "p", type: "file", mediaType: "image/png", finalContent: "iVBO", uri: "file:///a.png", role: "user" },
			{ sessionUpdate: "user_message_chunk", content: { type: "image", data: "iVBO", mimeType: "image/png", uri: "file:///a.png" } },
		],
		[
			"part.completed",
			{ ...CALL, finalContent: '{"n":1}', input: { n: 1 } },
			{
				sessionUpdate: "tool_call",
				toolCallId: "c1",
				title: "count",
				toolName: "count",
				kind: "other",
				status: "pending",
				rawInput: { n: 1 },
			},
		],
		[
			"part.completed",
			{ ...CALL, skill: "logs", finalContent: "{n" },
			{
				sessionUpdate: "tool_call",
				toolCallId: "c1",
				title: "count",
				toolName: "count",
				kind: "execute",
				status: "pending",
				rawInput: "{n",
			},
		],
		[
			"part.completed",
			{ ...CALL, skill: "logs", title: "Count", kind: "read", input: null, finalContent: "null", locations: [{ path: "/a", line: 1 }] },
			{
				sessionUpdate: "tool_call",
				toolCallId: "c1",
				title: "Count",
				toolName: "count",
				kind: "read",
				status: "pending",
				rawInput: null,
				locations: [{ path: "/a", line: 1 }],
			},
		],
		[
			"part.completed",
			{ ...CALL, kind: "dance", content: [{ type: "diff", path: "/a", oldText: null, newText: "b" }, { type: "diff" }, ...text("t")] },
			{
				sessionUpdate: "tool_call",
				toolCallId: "c1",
				title: "count",
				toolName: "count",
				kind: "other",
				status: "pending",
				content: [{ type: "diff", path: "/a", oldText: null, newText: "b" }, ...text("t")],
			},
		],
		["part.created", OUTPUT, { sessionUpdate: "tool_call_update", toolCallId: "c1", status: "in_progress" }],
		[
			"tool_call.output.delta",
			{ partId: "p", toolCallId: "c1", delta: "3\n", stream: "stdout" },
			{ sessionUpdate: "tool_call_update", toolCallId: "c1", status: "in_progress", content: text("3\n") },
		],
		[
			"part.completed",
			{ ...OUTPUT, finalContent: "3\n", result: "exit 0\n3\n", script: { exitCode: 0 }, rawOutput: { n: 3 } },
			{
				sessionUpdate: "tool_call_update",
				toolCallId: "c1",
				status: "completed",
				content: text("exit 0\n3\n"),
				rawOutput: { exitCode: 0 },
			},
		],
		[
			"part.completed",
			{ ...OUTPUT, finalContent: "3\n", rawOutput: { n: 3 } },
			{ sessionUpdate: "tool_call_update", toolCallId: "c1", status: "completed", content: text("3\n"), rawOutput: { n: 3 } },
		],
		[
			"part.failed",
			{ ...OUTPUT, finalContent: "…", result: "  no ```such``` file\n", error: { code: "tool", message: "m" } },
			{ sessionUpdate: "tool_call_update", toolCallId: "c1", status: "failed", content: text("  no ```such``` file\n") },
		],
		[
			"part.failed",
			{ ...OUTPUT, finalContent: "…", error: { code: "tool", message: "m" } },
			{ sessionUpdate: "tool_call_update", toolCallId: "c1", status: "failed", content: text("m") },
		],
		[
			"part.completed",
			{ partId: "p", type: "data", name: "plan", finalContent: '[{"content":"a","status":"pending","priority":"low","id":7}]' },
			{ sessionUpdate: "plan", entries: [{ content: "a", status: "pending", priority: "low" }] },
		],
		["part.completed", { partId: "p", type: "data", name: "plan", finalContent: "[]" }, { sessionUpdate: "plan", entries: [] }],
		[
			"usage.updated",
			{
				usageScope: "call",
				usage: { promptTokens: 3, completionTokens: 0, cachedTokens: "2", costUsd: Number.NaN, extra: { a: 1 }, other: 4 },
			},
			{ sessionUpdate: "usage", scope: "call", usage: { promptTokens: 3, completionTokens: 0, extra: { a: 1 } } },
		],
		["usage.updated", { usageScope: "run", usage: {} }, { sessionUpdate: "usage", scope: "run", usage: {} }],
		["metadata.updated", { type: "warning", message: "No skills." }, { sessionUpdate: "error", message: "No skills.", fatal: false }],
		[
			"step.failed",
			{ stepId: "s", name: "model", durationMs: 1, error: { code: "x", message: "busy" }, retryInMs: 0 },
			{ sessionUpdate: "error", message: "busy", fatal: false },
		],
		["run.failed", { error: { code: "x", message: "gone" }, recoverable: true }, { sessionUpdate: "error", message: "gone", fatal: true }],
		["run.failed", { error: { message: "gone" }, parentRunId: "above" }, { sessionUpdate: "error", message: "gone", fatal: false }],
		["run.failed", {}, { sessionUpdate: "error", message: "The run failed, and did not say why.", fatal: true }],
	] as const)("makes of %s %j one update", (event, data, update) => {
		expect(updates(eventOf(event, data))).toStrictEqual([update]);
	});

	it.each([
		["text.delta", { partId: "p", delta: "" }],
		["part.completed", { partId: "p", type: "text", finalContent: "Hi" }],
		["part.failed", { partId: "p", type: "text", finalContent: "Hi", error: { code: "x", message: "m" } }],
		["part.completed", { partId: "p", type: "file", mediaType: "application/pdf", finalContent: "JVBE" }],
		["part.completed", { ...CALL, toolCallId: undefined }],
		["part.created", CALL],
		["tool_call.arguments.delta", { partId: "p", toolCallId: "c1", delta: "{" }],
		["part.failed", { ...CALL, finalContent: "{", error: { code: "x", message: "cut" } }],
		["part.completed", { partId: "p", type: "data", name: "numbers", finalContent: "[]" }],
		["part.completed", { partId: "p", type: "data", name: "plan", finalContent: '[{"content":"a","status":"done","priority":"low"}]' }],
		["part.completed", { partId: "p", type: "data", name: "plan", finalContent: '[{"content":"a","status":"pending","priority":"top"}]' }],
		["part.completed", { partId: "p", type: "data", name: "plan", finalContent: '[{"content":1,"status":"pending","priority":"low"}]' }],
		["part.completed", { partId: "p", type: "data", name: "plan", finalContent: '{"content":"a","status":"pending","priority":"low"}' }],
		["part.completed", { partId: "p", type: "data", name: "plan", finalContent: "[{" }],
		["data.delta", { partId: "p", delta: "[]" }],
		["usage.updated", { usageScope: "session", usage: { promptTokens: 1 } }],
		["usage.updated", { usageScope: "run" }],
		["metadata.updated", { type: "skills", matches: [] }],
		["metadata.updated", { type: "lifecycle", lifecycle: { reason: "command_start" } }],
		["step.failed", { stepId: "s", name: "model", durationMs: 1, error: { code: "x", message: "no" } }],
		["step.started", { stepId: "s", name: "model", attempt: 1 }],
		["run.started", { name: "r" }],
		["run.completed", { name: "r", durationMs: 1 }],
		["run.interrupted", { name: "r", durationMs: 1, reason: "stream_cut" }],
		["run.interrupted", { name: "r", durationMs: 1, reason: "other" }],
		["hitl.requested", { requestId: "h", toolCalls: [] }],
		["stream.ended", {}],
		["somebody.elses", { delta: "Hi" }],
	] as const)("makes nothing of %s %j", (event, data) => {
		expect(updates(eventOf(event, data))).toEqual([]);
	});

	it("ends a call that was shown when its part fails after all", () => {
		const failed = eventOf("part.failed", { ...CALL, error: { code: "x", message: "cut" } });
		expect(updates(eventOf("part.completed", CALL), failed, failed).slice(1)).toEqual([
			{ sessionUpdate: "tool_call_update", toolCallId: "c1", status: "failed", content: text("cut") },
		]);
		expect(updates(eventOf("part.created", OUTPUT), failed)).toMatchObject([{ status: "in_progress" }, { status: "failed" }]);
		expect(updates(eventOf("part.completed", CALL), eventOf("part.completed", OUTPUT), failed)).toHaveLength(2);
	});

	it("shows of what a call puts out the last 16 Ki characters, however it comes", () => {
		fc.assert(
			fc.property(fc.array(fc.nat(12_000), { minLength: 1, maxLength: 12, size: "max" }), (lengths) => {
				const pieces = lengths.map((length, place) => String.fromCharCode(97 + place).repeat(length));
				const deltas = pieces.map((delta) => eventOf("tool_call.output.delta", { partId: "p", toolCallId: "c1", delta }));
				expect(updates(...deltas).at(-1)).toMatchObject({ content: text(pieces.join("").slice(-16_384)) });
			}),
		);
	});

	it("forgets with the log what never ended", () => {
		const open = [eventOf("run.started", { model: "a/b" }), eventOf("part.created", { partId: "p", type: "text", role: "user" })];
		const [before, after] = projected([
			...open,
			eventOf("text.delta", { partId: "p", delta: "1" }),
			eventOf("stream.ended"),
			eventOf("text.delta", { partId: "p", delta: "2" }),
		]);
		expect(before).toMatchObject({ model: "a/b", update: { sessionUpdate: "user_message_chunk" } });
		expect(after).toMatchObject({ update: { sessionUpdate: "agent_message_chunk" } });
		expect(after).not.toHaveProperty("model");
	});

	it("shows the output of each call apart, and begins afresh with its next run", () => {
		const delta = (partId: string, toolCallId: string, piece: string) =>
			eventOf("tool_call.output.delta", { partId, toolCallId, delta: piece, stream: "stdout" });
		const shown = updates(
			delta("a", "c1", "1"),
			delta("b", "c2", "x"),
			delta("a", "c1", "2"),
			eventOf("part.completed", { ...OUTPUT, partId: "a" }),
			delta("a", "c1", "3"),
		);
		expect(shown.map((update) => ("content" in update ? update.content : undefined))).toEqual([
			text("1"),
			text("x"),
			text("12"),
			undefined,
			text("3"),
		]);
	});

	it("leaves out what is no line: lines are counted from 1", () => {
		const locations = [
			{ path: "a", line: 0 },
			{ path: "b", line: 1.5 },
			{ path: "c", line: "2" },
			{ path: "d", line: 3 },
			{ line: 4 },
			null,
		];
		const [update] = updates(eventOf("part.completed", { ...CALL, locations }));
		expect(update).toHaveProperty("locations", [{ path: "a" }, { path: "b" }, { path: "c" }, { path: "d", line: 3 }]);
		expect(updates(eventOf("part.completed", { ...CALL, locations: [0] }))[0]).not.toHaveProperty("locations");
	});

	it("says where an update comes from, as far as the event says it", () => {
		const data = { partId: "p", delta: "Hi", sessionId: "s", model: "m", parentToolCallId: "above", extra: { stop_reason: "end" } };
		expect(projected([eventOf("text.delta", data)])).toStrictEqual([
			{
				sessionId: "s",
				update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "Hi" } },
				timestamp: "2026-03-01T12:00:00.000Z",
				model: "m",
				messageId: "message-1",
				parentToolCallId: "above",
				extra: { stop_reason: "end" },
				runId: "root",
				sequenceNumber: 1,
			},
		]);
	});

	it.each([[Number.NaN], [Number.POSITIVE_INFINITY], [8.65e15], ["2026"], [undefined]])("leaves out the time %s", (timestamp) => {
		const event = { ...eventOf("text.delta", { delta: "Hi" }), timestamp } as StreamEvent;
		expect(projected([event])[0]).not.toHaveProperty("timestamp");
	});

	it("gives each event its own time, also where a clock goes back", () => {
		const times = [5_000, 6_000, 5_000, 5_000, 6_000].map((timestamp) => eventOf("text.delta", { delta: "Hi" }, { timestamp }));
		expect(projected(times).map(({ timestamp }) => timestamp?.slice(17))).toEqual(["05.000Z", "06.000Z", "05.000Z", "05.000Z", "06.000Z"]);
	});

	it("leaves out ids that are no text", () => {
		const data = { delta: "Hi", sessionId: 3, messageId: "", model: {}, parentToolCallId: null, extra: [], runId: 7 };
		expect(Object.keys(projected([eventOf("text.delta", data, { sequenceNumber: "1" as never })])[0] ?? {})).toEqual([
			"update",
			"timestamp",
		]);
	});

	it("gives a run's model to its updates alone, and the call that started it to all beneath", () => {
		const events = published((root) => {
			root.publishEvent({ event: "run.started", data: { name: "root", model: "a/b" } });
			const child = root.createChildContext("child");
			child.publishEvent({ event: "run.started", data: { name: "child", parentToolCallId: "c1", model: "c/d" } });
			const grandchild = child.createChildContext("grandchild");
			grandchild.publishEvent({ event: "run.started", data: { name: "grandchild" } });
			for (const context of [root, child, grandchild]) context.publishEvent({ event: "text.delta", data: { partId: "p", delta: "Hi" } });
			child.publishEvent({ event: "run.failed", data: { error: { code: "x", message: "m" } } });
			child.publishEvent({ event: "text.delta", data: { partId: "p", delta: "late" } });
		});
		expect(projected(events).map(({ model, parentToolCallId, runId }) => [runId, model, parentToolCallId])).toEqual([
			["root", "a/b", undefined],
			["child", "c/d", "c1"],
			["grandchild", undefined, "c1"],
			["child", "c/d", "c1"],
			["child", undefined, undefined],
		]);
	});

	it("makes updates that no listener can change for the next", () => {
		const events = [
			eventOf("text.delta", { delta: "Hi" }),
			eventOf("part.completed", { ...OUTPUT, result: "r", locations: [{ path: "a" }] }),
			eventOf("part.completed", {
				partId: "p",
				type: "data",
				name: "plan",
				finalContent: '[{"content":"a","status":"pending","priority":"low"}]',
			}),
			eventOf("usage.updated", { usageScope: "run", usage: { promptTokens: 1 } }),
		];
		for (const event of projected(events)) expect(isDeeplyFrozen(event)).toBe(true);
	});
});

const isDeeplyFrozen = (value: unknown): boolean =>
	typeof value !== "object" || value === null || (Object.isFrozen(value) && Object.values(value).every(isDeeplyFrozen));
