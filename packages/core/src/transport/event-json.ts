import type { StreamEvent } from "../stream/stream-event.js";
import { frozenCopy } from "../value/frozen-copy.js";

/**
 * An event as JSON, on one line. What a context published can always be written; of an event that somebody made by hand, what is no JSON
 * becomes what it would have become there.
 */
export function eventJson(event: StreamEvent): string {
	try {
		return JSON.stringify(event);
	} catch {
		return JSON.stringify(frozenCopy(event));
	}
}
