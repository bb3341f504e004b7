import assert from "node:assert/strict";
import type { StreamEvent } from "../stream/stream-event.js";
import { TaskAsker } from "./task-runner-asking.js";
import type { TestedTaskRunner } from "./task-runner-contract.js";
import { assertWholeLog } from "./whole-log.js";

/** What every runner tells in the log of the network. */
export const TASK_RUNNER_LOG_FACTS: Readonly<Record<string, (tested: TestedTaskRunner) => Promise<void>>> = {
	"tells of a robot's run beneath that of the task: what it says, what it calls, what it costs": async (tested) => {
		const asker = new TaskAsker(tested);
		const result = await asker.ask("talker", "Look around.");
		const log = asker.end();
		assertWholeLog(log);
		const robot = log.find(({ data }) => data.scope === "robot");
		assert.equal(robot?.data.parentRunId, log[0]?.data.runId);
		assert.deepEqual(told(log), [
			"task run.started",
			"robot run.started Look around.",
			"robot step.started",
			"robot reasoning Let me see.",
			"robot text I look.",
			"robot tool-call {}",
			"robot step.completed",
			"robot usage.updated",
			"robot lab.looked",
			"tool run.started",
			"tool text ",
			"tool run.completed",
			"robot tool-output a door",
			"robot step.started",
			"robot text There is a door.",
			"robot step.completed",
			"robot usage.updated",
			"robot usage.updated",
			"robot run.completed",
			"task run.completed",
			"task stream.ended",
		]);
		const ends = log.find(({ event, data }) => event === "run.completed" && data.scope === "robot");
		assert.equal(ends?.event === "run.completed" && ends.data.resultId, result.id);
		assert.ok(log.filter(({ event }) => event === "text.delta").length > 2, "what it says does not come piece by piece");
	},
	"keeps two robots with calls of one id apart in one log, and their messages": async (tested) => {
		const asker = new TaskAsker(tested);
		await Promise.all([asker.ask("talker", "Look left."), asker.ask("talker", "Look right.")]);
		const log = asker.end();
		assertWholeLog(log);
		const robots = log.filter(({ event, data }) => event === "run.started" && data.scope === "robot");
		assert.equal(robots.length, 2);
		for (const { data } of robots) {
			const own = log.filter((event) => event.data.runId === data.runId && event.event === "step.started");
			assert.equal(new Set(own.map((event) => event.data.messageId)).size, 2);
		}
		const calls = log.filter(({ event, data }) => event === "run.started" && data.scope === "tool");
		const outputs = new Set(log.map(({ data }) => ("toolCallId" in data ? data.toolCallId : undefined)));
		for (const { data } of calls) assert.ok("parentToolCallId" in data && outputs.has(data.parentToolCallId));
	},
	"tells in the run of the task what is published there": async (tested) => {
		const asker = new TaskAsker(tested);
		await asker.ask("publisher", "go");
		const log = asker.end();
		assertWholeLog(log);
		assert.deepEqual(told(log), ["task run.started", "task lab.noted", "task data ", "task run.completed", "task stream.ended"]);
	},
};

/** The log in short: of parts their ends alone. */
function told(log: readonly StreamEvent[]): readonly string[] {
	return log.flatMap(({ event, data }) => {
		if (event.endsWith(".delta") || event === "part.created") return [];
		if ("finalContent" in data) return [`${data.scope} ${data.type} ${data.finalContent === "" ? (data.result ?? "") : data.finalContent}`];
		return [`${data.scope} ${event}${"input" in data && data.input !== undefined ? ` ${data.input}` : ""}`];
	});
}
