import type { StreamEvent } from "../stream/stream-event.js";
import { type Envelope, isEnvelope } from "./event-facts.js";

/**
 * What the events of one log come to in other terms. It remembers only what is still open, and never throws: an event that it does not
 * know, or cannot read, comes to nothing. Hand it each event of the log once, in order, to either of the two, which may be handed on alone.
 */
export interface Projection<Update> {
	/** The updates that an event makes, frozen. */
	readonly project: (event: StreamEvent) => readonly Update[];
	/** Takes note of an event whose updates nobody wants, so that those of later ones are right. Nearly free for a delta of text. */
	readonly observe: (event: StreamEvent) => void;
}

interface Steps<Update> {
	/** Takes note of what an event begins. */
	readonly open: (event: Envelope) => void;
	readonly updateOf: (event: Envelope) => Update | undefined;
	/** Forgets what an event ends. */
	readonly close: (event: Envelope) => void;
}

export function projectionOf<Update>({ open, updateOf, close }: Steps<Update>): Projection<Update> {
	return {
		project: (event) => {
			try {
				if (!isEnvelope(event)) return NOTHING;
				const update = madeBetween(event);
				return update === undefined ? NOTHING : [update];
			} catch {
				// what a publisher put into an event may have code of its own, which throws when it is looked at
				return NOTHING;
			}
		},
		observe: (event) => {
			try {
				if (!isEnvelope(event)) return;
				open(event);
				close(event);
			} catch {}
		},
	};

	function madeBetween(event: Envelope): Update | undefined {
		open(event);
		try {
			return updateOf(event);
		} finally {
			close(event);
		}
	}
}

const NOTHING: readonly never[] = Object.freeze([]);
