import { continues, firstNumber, mergeDeltas } from "../stream/merge-deltas.js";
import type { ReadableLog } from "../stream/readable-log.js";
import type { StreamEvent } from "../stream/stream-event.js";

/** What somebody is told who cannot be given every event behind the last one they have. */
export interface MissedEvents {
	/** Behind which number they wanted to go on; `null` where what they asked for was no number. */
	readonly after: number | null;
	/** The number with which they go on. */
	readonly first: number;
	/** The number of the last event of the log at this moment; 0 where there is none. */
	readonly last: number;
}

/** A place in a log. It costs the same however far it is behind: what waits is what the log keeps. */
export class EventCursor {
	readonly #log: ReadableLog;
	readonly #asked: number | null;
	#position: number;
	/** Whether what was asked for is no place in the log, so that the beginning is what comes next. */
	#isLost: boolean;

	/** @param asked The number behind which to begin; 0 is the beginning. `null` stands for what is no number. */
	constructor(log: ReadableLog, asked: number | null) {
		this.#log = log;
		this.#asked = asked;
		this.#position = asked ?? 0;
		this.#isLost = asked === null || !isPlaceIn(log, asked);
	}

	/** Whether the log has ended, and nothing of it waits. */
	get isAtEnd(): boolean {
		return this.#log.ended && this.#position === this.#log.lastSequenceNumber;
	}

	/** What was missed, told once; then it goes on at `first`. Events are missed that are no longer kept, or that never were in the log. */
	takeMissed(): MissedEvents | undefined {
		if (!this.#isLost && this.#log.holds(this.#position)) return undefined;
		const next = keptBehind(this.#log, this.#isLost ? 0 : this.#position);
		const last = this.#log.lastSequenceNumber;
		const first = next === undefined ? last + 1 : firstNumber(next);
		const missed = { after: this.#isLost ? this.#asked : this.#position, first, last };
		this.#position = first - 1;
		this.#isLost = false;
		return missed;
	}

	/** What comes next, of at most `most` events, up to what was missed. Deltas in a row of one part are one. `moveTo` says what was taken. */
	waiting(most: number): readonly StreamEvent[] {
		return this.#log.holds(this.#position) ? joinedRow(this.#log.after(this.#position, most)) : [];
	}

	moveTo(sequenceNumber: number): void {
		this.#position = sequenceNumber;
	}
}

function isPlaceIn(log: ReadableLog, number: number): boolean {
	const next = keptBehind(log, number);
	// within the numbers that one event stands for is no place
	return number <= log.lastSequenceNumber && (next === undefined || firstNumber(next) > number);
}

function keptBehind(log: ReadableLog, number: number): StreamEvent | undefined {
	const oldest = log.firstSequenceNumber;
	if (oldest === undefined) return undefined;
	if (oldest <= number && log.holds(number)) return log.after(number, 1)[0];
	return log.after(oldest - 1).find(({ sequenceNumber }) => sequenceNumber > number);
}

/** In a row only: whoever goes on behind any of them has all before it and nothing behind it. */
function joinedRow(events: readonly StreamEvent[]): StreamEvent[] {
	const row: StreamEvent[] = [];
	for (const event of events) {
		const earlier = row.at(-1);
		if (earlier !== undefined && firstNumber(event) > earlier.sequenceNumber + 1) break;
		if (earlier !== undefined && continues(earlier, event)) row[row.length - 1] = mergeDeltas(earlier, event);
		else row.push(event);
	}
	return row;
}
