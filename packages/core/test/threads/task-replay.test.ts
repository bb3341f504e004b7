import { describe, expect, it } from "vitest";
import { ConfigurationError } from "../../src/errors/configuration-error.js";
import { EventLog } from "../../src/stream/event-log.js";
import { RunInside } from "../../src/stream/open-run.js";
import { RunPublisher } from "../../src/stream/run-publisher.js";
import type { StreamEvent } from "../../src/stream/stream-event.js";
import { assertWholeLog } from "../../src/testing/whole-log.js";
import { TaskReplay } from "../../src/threads/task-replay.js";

const open = (name: string) => {
	const log = new EventLog();
	return { log, root: RunPublisher.root(log, { name, scope: "task" }) };
};

/** A log whose runs are told once more in another. */
function told() {
	const [there, here] = [open("there"), open("here")];
	let cuts = 0;
	const replay = new TaskReplay(new RunInside(here.root, undefined), () => {
		cuts += 1;
	});
	let last = 0;
	/** Tells all that was published there since. */
	const tell = (): void => {
		const events = there.log.after(last);
		last = there.log.lastSequenceNumber;
		for (const event of events) replay.observe(event);
	};
	return { there: there.root, here: here.root, log: here.log, replay, tell, cuts: () => cuts };
}

const dataOf = (log: readonly StreamEvent[], event: string): Record<string, unknown>[] =>
	log.flatMap((one) => (one.event === event ? [one.data as unknown as Record<string, unknown>] : []));

describe("a replay", () => {
	it("names calls and parts as they are named in its own log, wherever they are named", () => {
		const { there, here, log, tell } = told();
		here.callIds.add("call-1");
		const robot = there.begin({ name: "robot" });
		const call = robot.part({ type: "tool-call", toolCallId: "call-1", toolName: "ask" });
		call.delta("{}");
		call.complete({ input: {} });
		robot.announceCall({ toolCallId: "call-1", toolName: "ask" });
		const toolCalls = [{ toolName: "ask", toolInput: {}, toolCallId: "call-1", partId: call.partId }, "odd"];
		robot.publish("hitl.requested", { requestId: "r", toolCalls });
		robot.publish("lab.noted", { toolCallId: "call-unknown", partId: "part-of-nobody" });
		robot.begin({ name: "eyes", scope: "tool", parentToolCallId: "call-1" }).end({ event: "run.completed" });
		const output = robot.part({ type: "tool-output", toolCallId: "call-1", toolName: "ask" });
		output.delta("yes", "stderr");
		output.complete({ result: "yes", durationMs: 5, droppedCharacters: 3 } as never);
		robot.end({ event: "run.interrupted", reason: "budget", stopReason: "budget", resultId: "id" });
		there.end({ event: "run.completed" });
		tell();
		here.end({ event: "run.completed" });
		const events = log.after(0);
		assertWholeLog(events);
		const [made, answered] = dataOf(events, "part.completed");
		expect(made?.toolCallId).not.toBe("call-1");
		expect(answered).toMatchObject({
			toolCallId: made?.toolCallId,
			result: "yes",
			durationMs: 5,
			droppedCharacters: 3,
			finalContent: "yes",
		});
		expect(dataOf(events, "hitl.requested")[0]?.toolCalls).toEqual([
			{ toolName: "ask", toolInput: {}, toolCallId: made?.toolCallId, partId: made?.partId },
			"odd",
		]);
		expect(dataOf(events, "lab.noted")[0]).toMatchObject({ toolCallId: "call-unknown", partId: "part-of-nobody" });
		expect(dataOf(events, "run.started").at(-1)).toMatchObject({ name: "eyes", parentToolCallId: made?.toolCallId });
		expect(dataOf(events, "tool_call.output.delta")[0]).toMatchObject({ stream: "stderr", toolCallId: made?.toolCallId });
		expect(dataOf(events, "run.interrupted")[0]).toMatchObject({ reason: "budget", stopReason: "budget", resultId: "id" });
	});

	it("begins a message where one begins there, and leaves parts in theirs", () => {
		const { there, here, log, tell } = told();
		const robot = there.begin({ name: "robot" });
		const long = robot.part({ type: "text" });
		robot.beginMessage();
		robot.part({ type: "reasoning" }).complete();
		long.delta("late");
		long.complete();
		robot.tell("usage.updated", { usageScope: "call", usage: { promptTokens: 1 } });
		robot.end({ event: "run.completed" });
		tell();
		here.end({ event: "run.completed" });
		const messages = log.after(0).flatMap(({ data }) => (data.scope === "robot" ? [data.messageId] : []));
		const [first, second] = new Set(messages);
		expect(messages).toEqual([first, first, second, second, first, first, second, second]);
	});

	it("tells what failed, and what is tried again when", () => {
		const { there, here, log, tell } = told();
		const robot = there.begin({ name: "robot" });
		robot.step("request", 1).fail({ code: "inference", message: "busy" }, 500);
		robot.step("request", 2).complete("stop");
		robot.part({ type: "refusal" }).fail({ code: "refused", message: "no" });
		robot.tell("metadata.updated", { type: "warning", message: "odd" });
		robot.end({ event: "run.failed", error: { code: "inference", message: "down" }, recoverable: true });
		there.end({ event: "run.completed" });
		tell();
		here.end({ event: "run.completed" });
		const events = log.after(0);
		assertWholeLog(events);
		expect(dataOf(events, "step.failed")[0]).toMatchObject({
			name: "request",
			error: { code: "inference", message: "busy" },
			retryInMs: 500,
		});
		expect(dataOf(events, "step.completed")[0]).toMatchObject({ finishReason: "stop" });
		expect(dataOf(events, "part.failed")[0]).toMatchObject({ type: "refusal", error: { code: "refused", message: "no" } });
		expect(dataOf(events, "metadata.updated")[0]).toMatchObject({ type: "warning", message: "odd" });
		expect(dataOf(events, "run.failed")[0]).toMatchObject({ error: { message: "down" }, recoverable: true });
	});

	it("ends what is open when it breaks off, in the run above too, and tells nothing of what comes late", () => {
		const { there, here, log, replay, tell } = told();
		const robot = there.begin({ name: "robot" });
		robot.begin({ name: "inner" }).step("request", 1);
		robot.part({ type: "text" }).delta("half");
		new RunInside(there, undefined).part({ type: "data", name: "plan" });
		tell();
		replay.breakOff({ code: "worker_lost", message: "gone" });
		const before = log.lastSequenceNumber;
		robot.part({ type: "text" }).complete();
		robot.begin({ name: "late" });
		robot.end({ event: "run.completed" });
		tell();
		expect(log.lastSequenceNumber).toBe(before);
		here.end({ event: "run.completed" });
		assertWholeLog(log.after(0));
		expect(dataOf(log.after(0), "run.failed")[0]).toMatchObject({ name: "robot", error: { code: "worker_lost" } });
		const failed = dataOf(log.after(0), "part.failed");
		expect(failed.map(({ type }) => type)).toEqual(["text", "data"]);
		expect(failed[1]).toMatchObject({ error: { code: "worker_lost" } });
	});

	it("says that it was cut off by the end of the run above, and begins nothing beneath one that is over", () => {
		const { there, here, tell, cuts } = told();
		there.begin({ name: "robot" });
		tell();
		expect(cuts()).toBe(0);
		here.end({ event: "run.completed" });
		expect(cuts()).toBe(1);
		there.begin({ name: "late" });
		expect(tell).toThrow(ConfigurationError);
	});
});
