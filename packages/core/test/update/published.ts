import { EventLog } from "../../src/stream/event-log.js";
import { StreamContext } from "../../src/stream/stream-context.js";
import type { PublishedEvent, StreamEvent } from "../../src/stream/stream-event.js";

/** 2026-03-01T12:00:00.000Z, and a second more for each event. */
const FIRST_TIME = Date.UTC(2026, 2, 1, 12);

/** The events that a root run publishes, by way of a real context and a real log. */
export function published(publish: (root: StreamContext) => void): readonly StreamEvent[] {
	const log = new EventLog();
	const events: StreamEvent[] = [];
	log.subscribe((event) => events.push(event));
	let seconds = 0;
	publish(
		new StreamContext({
			runId: "root",
			messageId: "message-1",
			scope: "robot",
			publish: log.publish,
			now: () => FIRST_TIME + 1_000 * seconds++,
		}),
	);
	return events;
}

/** One event as it comes from a file: nobody has looked at it. */
export function eventOf(event: string, data: object = {}, envelope: Partial<PublishedEvent> = {}): StreamEvent {
	const made = {
		event,
		data: { runId: "root", messageId: "message-1", scope: "robot", ...data },
		timestamp: FIRST_TIME,
		sequenceNumber: 1,
	};
	return { ...made, id: `publish-1:${event}`, ...envelope } as unknown as StreamEvent;
}
