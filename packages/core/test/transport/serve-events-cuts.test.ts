import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { firstNumber } from "../../src/stream/merge-deltas.js";
import type { StreamEvent } from "../../src/stream/stream-event.js";
import { addText, type PublishedRun, publishedRun, type Texts, turns } from "./published-run.js";
import { connect, envelopeOf, type Message, SseParser } from "./sse-client.js";
import { sseServer } from "./sse-server.js";

/** What happens while a client reads: the run says something, or nothing for some turns of the event loop. */
const deed = fc.oneof(
	{
		weight: 4,
		arbitrary: fc.record({
			part: fc.constantFrom("a", "b"),
			texts: fc.array(fc.string({ unit: "grapheme" }), { minLength: 1, maxLength: 6 }),
		}),
	},
	{ weight: 1, arbitrary: fc.constantFrom("step.started", "usage.updated", "my.own") },
	{ weight: 3, arbitrary: fc.integer({ min: 1, max: 4 }) },
);
type Deed = typeof deed extends fc.Arbitrary<infer T> ? T : never;

const schedule = fc.array(deed, { minLength: 1, maxLength: 40 });
/** Where each connection is cut, in bytes of its body; after the last one none is. */
const cuts = fc.array(fc.oneof(fc.integer({ min: 1, max: 400 }), fc.integer({ min: 1, max: 4_000 })), { maxLength: 12 });

async function perform(run: PublishedRun, deeds: readonly Deed[]): Promise<void> {
	for (const one of deeds) {
		if (typeof one === "number") await turns(one);
		else if (typeof one === "string") run.event(one);
		else for (const text of one.texts) run.text(one.part, text);
	}
	run.end();
}

/** Connects, is cut off, and comes back with the last id, until it is told that there is no more. */
async function readToTheEnd(url: string, places: readonly number[], onMessage: (message: Message) => void): Promise<void> {
	const parser = new SseParser(onMessage);
	const remaining = [...places];
	for (let isDone = false; !isDone; ) {
		const cutAfter = remaining.shift();
		const fresh = new SseParser((message) => {
			parser.lastEventId = message.id;
			onMessage(message);
		});
		const { status } = await connect(url, fresh, {
			headers: parser.lastEventId === "" ? {} : { "last-event-id": parser.lastEventId },
			...(cutAfter !== undefined && { cutAfter }),
		});
		isDone = status === 204;
	}
}

/** A client that keeps what it reads, and notices what does not follow. */
class Reader {
	readonly texts: Record<string, string> = {};
	readonly problems: string[] = [];
	resyncs = 0;
	position = 0;

	readonly read = (message: Message): void => {
		if (message.type === "resync") this.#resync(message);
		else this.#take(message, envelopeOf(message));
	};

	#resync({ id, data }: Message): void {
		this.resyncs += 1;
		const { after, first, last, snapshot } = JSON.parse(data) as { after: number; first: number; last: number; snapshot?: Texts };
		if (after !== this.position) this.problems.push(`resync behind ${after}, at ${this.position}`);
		if (first <= after + 1 || last < after) this.problems.push(`resync without a gap: ${data}`);
		if (id !== String(first - 1)) this.problems.push(`resync with id ${id}: ${data}`);
		this.position = first - 1;
		if (snapshot !== undefined && first !== last + 1) this.problems.push(`the snapshot is not all: ${data}`);
		Object.assign(this.texts, snapshot);
	}

	#take(message: Message, event: StreamEvent): void {
		const [first, last] = [firstNumber(event), event.sequenceNumber];
		if (first !== this.position + 1) this.problems.push(`${first}..${last} behind ${this.position}`);
		if (message.id !== String(last)) this.problems.push(`id ${message.id} on ${last}`);
		this.position = last;
		addText(this.texts, event);
	}
}

describe("a client that is cut off at any byte and comes back with the last id", () => {
	it("gets every number once and in order, and the whole text", { timeout: 120_000 }, async () => {
		await fc.assert(
			fc.asyncProperty(schedule, cuts, async (deeds, places) => {
				const run = publishedRun();
				await using server = await sseServer(run.log);
				const reader = new Reader();
				await Promise.all([readToTheEnd(server.url, places, reader.read), perform(run, deeds)]);
				expect(reader.problems).toEqual([]);
				expect(reader.resyncs).toBe(0);
				expect(reader.position).toBe(run.log.lastSequenceNumber);
				expect(reader.texts).toEqual(run.texts);
			}),
			{ numRuns: 60 },
		);
	});

	it("is told of every gap where little is kept, and has the whole text where there are snapshots", { timeout: 120_000 }, async () => {
		let resyncs = 0;
		await fc.assert(
			fc.asyncProperty(schedule, cuts, fc.integer({ min: 1, max: 6 }), fc.boolean(), async (deeds, places, history, hasState) => {
				const run = publishedRun({ history });
				await using server = await sseServer(run.log, hasState ? { snapshot: () => run.texts } : {});
				const reader = new Reader();
				await Promise.all([readToTheEnd(server.url, places, reader.read), perform(run, deeds)]);
				resyncs += reader.resyncs;
				expect(reader.problems).toEqual([]);
				expect(reader.position).toBe(run.log.lastSequenceNumber);
				if (hasState) expect(reader.texts).toEqual(run.texts);
			}),
			{ numRuns: 60 },
		);
		expect(resyncs).toBeGreaterThan(0);
	});
});
