import { type StreamEvent, type StreamEventData, type StreamEventName, StreamEvents } from "@robot-lab/core";
import { expect } from "vitest";

/** What `run --json` printed: whole envelopes, one a line, without gaps, of one run from its beginning to its one end. */
export function runLog(stdout: string): readonly StreamEvent[] {
	expect(stdout.endsWith("\n")).toBe(true);
	const log: StreamEvent[] = stdout
		.slice(0, -1)
		.split("\n")
		.map((line) => JSON.parse(line));
	expect(log.map(({ sequenceNumber }) => sequenceNumber)).toEqual(log.map((_, index) => index + 1));
	for (const { event, id, sequenceNumber, data } of log) {
		expect(StreamEvents.isValid(event)).toBe(true);
		expect(id).toBe(`publish-${sequenceNumber}:${event}`);
		expect(data).toMatchObject({ runId: expect.any(String), messageId: expect.any(String), scope: "robot" });
	}
	expect(log[0]?.event).toBe("run.started");
	expect(log.filter(({ event }) => StreamEvents.isLifecycle(event))).toHaveLength(2);
	expect(log.slice(-2).map(({ event }) => event)).toEqual([expect.stringMatching(/^run\.(completed|failed|interrupted)$/), "stream.ended"]);
	return log;
}

/** The data of the events of a name. */
export function dataOf<Name extends StreamEventName>(log: readonly StreamEvent[], name: Name): StreamEventData[Name][] {
	return log.filter(({ event }) => event === name).map(({ data }) => data as unknown as StreamEventData[Name]);
}
