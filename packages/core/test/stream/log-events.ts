import type { EventReader } from "../../src/stream/event-reader.js";
import { charactersOf } from "../../src/stream/measured-events.js";
import { firstNumber } from "../../src/stream/merge-deltas.js";
import type { PublishedEvent, StreamEvent } from "../../src/stream/stream-event.js";

/** An event with a number, as a log is given it. */
export function numbered(sequenceNumber: number, event = "metadata.updated", data: object = {}): PublishedEvent {
	const origin = { runId: "run-1", messageId: "message-1", scope: "robot" };
	return Object.freeze({
		event,
		data: Object.freeze({ ...origin, ...data }),
		timestamp: 1_000 + sequenceNumber,
		sequenceNumber,
		id: `publish-${sequenceNumber}:${event}`,
	});
}

export const delta = (sequenceNumber: number, text = "x", partId = "part-1"): PublishedEvent =>
	numbered(sequenceNumber, "text.delta", { partId, delta: text });

/** What a queue or a history takes, which is what a log makes of what it is given. */
export const asStream = (event: PublishedEvent): StreamEvent => event as unknown as StreamEvent;

/** An event, and what a log tells of its length besides. */
export function measured(event: PublishedEvent): [StreamEvent, number] {
	const stream = asStream(event);
	return [stream, charactersOf(stream)];
}

export const numbersOf = (events: readonly (StreamEvent | PublishedEvent)[]): number[] =>
	events.map(({ sequenceNumber }) => sequenceNumber);

/** Everything a reader gets, until it ends or fails. */
export async function readAll(reader: EventReader): Promise<StreamEvent[]> {
	const events: StreamEvent[] = [];
	for await (const event of reader) events.push(event);
	return events;
}

/** So many events of a reader, which must be there. */
export async function read(reader: EventReader, count: number): Promise<StreamEvent[]> {
	const events: StreamEvent[] = [];
	while (events.length < count) {
		const { done, value } = await reader.next();
		if (done === true) break;
		events.push(value);
	}
	return events;
}

/** Whether a promise has been kept by now. */
export async function isSettled(promise: Promise<unknown>): Promise<boolean> {
	let isDone = false;
	const note = (): void => {
		isDone = true;
	};
	promise.then(note, note);
	await new Promise((resolve) => setImmediate(resolve));
	return isDone;
}

const textOf = ({ data }: StreamEvent | PublishedEvent): string => String((data as { readonly delta?: string }).delta);

/** Which part a delta is of: two runs may call theirs the same. */
function partOf({ data }: StreamEvent | PublishedEvent): string {
	const { runId, messageId, partId } = data as { readonly runId: string; readonly messageId: string; readonly partId?: string };
	return `${runId} ${messageId} ${partId}`;
}

/** The text of each part, put together from its deltas. */
function textsOf(deltas: readonly (StreamEvent | PublishedEvent)[]): string {
	const texts = new Map<string, string>();
	for (const event of deltas) texts.set(partOf(event), (texts.get(partOf(event)) ?? "") + textOf(event));
	return JSON.stringify([...texts].sort());
}

/**
 * What is wrong with what a reader got, as a stand-in for the log: `undefined` when it says the same. Structural events must be the very
 * ones of the log; between two of them the text of each part must be the same, in numbers that only grow, and in ranges that hold as many
 * deltas of that part as the log has there.
 */
export function differenceFrom(log: readonly PublishedEvent[], got: readonly (StreamEvent | PublishedEvent)[]): string | undefined {
	const numbers = numbersOf(got);
	if (numbers.some((number, index) => index > 0 && number <= (numbers[index - 1] ?? 0))) return `numbers do not grow: ${numbers}`;
	const [wanted, actual] = [stretchesOf(log), stretchesOf(got)];
	if (wanted.length !== actual.length) return `${actual.length} stretches instead of ${wanted.length}`;
	for (const [index, stretch] of wanted.entries()) {
		const { deltas, closedBy } = actual[index] as Stretch;
		if (stretch.closedBy !== closedBy) return `structural event ${index} is another: ${closedBy?.id}`;
		if (textsOf(stretch.deltas) !== textsOf(deltas)) return `${textsOf(deltas)} instead of ${textsOf(stretch.deltas)}`;
		const badRange = deltas.find((event) => coveredBy(event, stretch.deltas) !== textOf(event));
		if (badRange !== undefined) return `the range of ${badRange.id} from ${firstNumber(badRange)} holds something else`;
	}
	return undefined;
}

interface Stretch {
	readonly deltas: readonly (StreamEvent | PublishedEvent)[];
	readonly closedBy: StreamEvent | PublishedEvent | undefined;
}

function stretchesOf(events: readonly (StreamEvent | PublishedEvent)[]): Stretch[] {
	const stretches: Stretch[] = [];
	let deltas: (StreamEvent | PublishedEvent)[] = [];
	for (const event of events) {
		if (event.event.endsWith(".delta")) deltas.push(event);
		else {
			stretches.push({ deltas, closedBy: event });
			deltas = [];
		}
	}
	return [...stretches, { deltas, closedBy: undefined }];
}

function coveredBy(event: StreamEvent | PublishedEvent, deltas: readonly (StreamEvent | PublishedEvent)[]): string {
	const isCovered = (each: StreamEvent | PublishedEvent): boolean =>
		partOf(each) === partOf(event) && each.sequenceNumber >= firstNumber(event) && each.sequenceNumber <= event.sequenceNumber;
	return deltas.filter(isCovered).map(textOf).join("");
}
