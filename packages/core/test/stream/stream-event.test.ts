import { expect, it } from "vitest";
import { EventLog } from "../../src/stream/event-log.js";
import type { ToolCallContent } from "../../src/stream/part-content.js";
import type { PublishedEvent, StreamEvent, StreamEventOf } from "../../src/stream/stream-event.js";
import { outputProjection } from "../../src/update/project-output.js";
import { recordedContext } from "./publishing.js";

it("a StreamEvent is a PublishedEvent, which may have any name and any data: a listener may look for names of its own", () => {
	const log = new EventLog();
	const topics: unknown[] = [];
	log.subscribe((event) => {
		const published: PublishedEvent = event;
		if (published.event === "research.begun") topics.push(published.data.topic, published.data.runId);
	});
	log.subscribe(({ event, data }: PublishedEvent) => topics.push(event === "research.begun" && data.topic));
	recordedContext({ publish: log.publish }).context.publishEvent({ event: "research.begun", data: { topic: "anything" } });
	const again: StreamEvent[] = [...log.after(0)];
	const any: readonly PublishedEvent[] = again;
	expect([topics, any.length]).toEqual([["anything", "run-1", "anything"], 1]);
});

it("what projections read of a part besides is in its type", () => {
	const content: readonly ToolCallContent[] = [{ type: "diff", path: "/a", oldText: null, newText: "b" }];
	const data: StreamEventOf<"part.completed">["data"] = {
		runId: "r",
		messageId: "m",
		scope: "robot",
		partId: "p",
		type: "tool-call",
		toolCallId: "c",
		finalContent: "{}",
		content,
		sessionId: "s",
		model: "a/b",
		parentToolCallId: "above",
		extra: { turn: 1 },
	};
	const event: StreamEvent = { event: "part.completed", data, timestamp: 0, sequenceNumber: 1, id: "publish-1:part.completed" };
	expect(outputProjection().project(event)).toMatchObject([
		{ update: { content }, sessionId: "s", model: "a/b", parentToolCallId: "above", extra: { turn: 1 } },
	]);
});
