import type { StreamEvent } from "../stream/stream-event.js";
import type { MissedEvents } from "./event-cursor.js";
import { eventJson } from "./event-json.js";

/** What the `data` of a `resync` is, as JSON. The client begins anew with it. */
export interface Resync<Snapshot = unknown> extends MissedEvents {
	/** The state as of the event `last`. Absent where the server has none. */
	readonly snapshot?: Snapshot;
}

/** An event as a client of server-sent events gets it. Without a name of its own, so that one listener gets them all. */
export const eventFrame = (event: StreamEvent): string => `id: ${event.sequenceNumber}\ndata: ${eventJson(event)}\n\n`;

/** @param snapshot JSON. Absent: there is none. */
export function resyncFrame(missed: MissedEvents, snapshot: string | undefined): string {
	const facts = JSON.stringify(missed);
	const data = snapshot === undefined ? facts : `${facts.slice(0, -1)},"snapshot":${snapshot}}`;
	// the id is where it goes on, so that a client that is cut off right behind it misses nothing
	return `id: ${missed.first - 1}\nevent: resync\ndata: ${data}\n\n`;
}

export const retryFrame = (milliseconds: number): string => `retry: ${milliseconds}\n\n`;

/** A comment: clients ignore it, and whatever lies between sees that the connection is alive. */
export const HEARTBEAT = ": heartbeat\n\n";
