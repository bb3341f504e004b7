import { EventLog, type EventLogOptions } from "../../src/stream/event-log.js";
import { StreamContext } from "../../src/stream/stream-context.js";
import type { StreamEvent } from "../../src/stream/stream-event.js";

/** A log and what publishes to it, as a run would. */
export interface PublishedRun {
	readonly log: EventLog;
	/** A piece of text of the part `partId`. */
	text(partId: string, delta: string): void;
	event(event: string, data?: object): void;
	/** Ends the log. */
	end(): void;
	/** The text of each part so far. */
	readonly texts: Texts;
}

/** The deltas of each part, joined. */
export type Texts = Readonly<Record<string, string>>;

export function publishedRun(options: EventLogOptions = {}): PublishedRun {
	return publishedTo(new EventLog(options));
}

export function publishedTo(log: EventLog): PublishedRun {
	const context = new StreamContext({ runId: "r1", messageId: "m1", scope: "robot", publish: log.publish, now: () => 1_000 });
	const texts: Record<string, string> = {};
	const event = (name: string, data: object = {}): void => void context.publishEvent({ event: name, data });
	return {
		log,
		texts,
		event,
		text(partId, delta) {
			texts[partId] = (texts[partId] ?? "") + delta;
			event("text.delta", { partId, delta });
		},
		end: () => event("stream.ended"),
	};
}

/** Adds the delta of an event, where it is one. */
export function addText(texts: Record<string, string>, event: StreamEvent): void {
	if (event.event !== "text.delta") return;
	const { partId, delta } = event.data;
	texts[partId] = (texts[partId] ?? "") + delta;
}

export const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

export async function turns(count: number): Promise<void> {
	for (let done = 0; done < count; done += 1) await turn();
}

/** Waits until something holds. The time limit of the test is the only one. */
export async function until(holds: () => boolean): Promise<void> {
	while (!holds()) await new Promise((resolve) => setTimeout(resolve, 1));
}
