import fc from "fast-check";
import { expect, it } from "vitest";
import { StreamError } from "../../src/errors/stream-error.js";
import { EventLog } from "../../src/stream/event-log.js";
import type { EventReader, Overflow } from "../../src/stream/event-reader.js";
import { StreamContext } from "../../src/stream/stream-context.js";
import type { PublishedEvent, StreamEvent } from "../../src/stream/stream-event.js";
import type { Subscription } from "../../src/stream/subscription.js";
import { differenceFrom, numbersOf } from "./log-events.js";

type Manner = "listens" | "throws" | "rejects" | "leaves" | "removes" | "adds" | "publishes" | "reads";

type Step =
	| { readonly kind: "publish"; readonly which: number; readonly part: number; readonly text: string }
	| { readonly kind: "structural" | "child"; readonly which: number }
	| { readonly kind: "subscribe"; readonly manner: Manner }
	| { readonly kind: "unsubscribe" | "ask" | "leave"; readonly which: number }
	| { readonly kind: "open"; readonly overflow: Overflow; readonly capacity: number; readonly fromStart: boolean }
	| { readonly kind: "rest" };

const which = fc.nat(20);
const steps: fc.Arbitrary<Step[]> = fc.array(
	fc.oneof(
		{
			weight: 10,
			arbitrary: fc.record({
				kind: fc.constant("publish" as const),
				which,
				part: fc.nat(2),
				text: fc.string({ minLength: 1, maxLength: 2 }),
			}),
		},
		{ weight: 2, arbitrary: fc.record({ kind: fc.constantFrom("structural" as const, "child" as const), which }) },
		{
			weight: 3,
			arbitrary: fc.record({
				kind: fc.constant("subscribe" as const),
				manner: fc.constantFrom<Manner>("listens", "throws", "rejects", "leaves", "removes", "adds", "publishes", "reads"),
			}),
		},
		{
			weight: 2,
			arbitrary: fc.record({
				kind: fc.constant("open" as const),
				overflow: fc.constantFrom<Overflow>("coalesce", "block", "error"),
				capacity: fc.integer({ min: 1, max: 6 }),
				fromStart: fc.boolean(),
			}),
		},
		{ weight: 6, arbitrary: fc.record({ kind: fc.constant("ask" as const), which }) },
		{ weight: 1, arbitrary: fc.record({ kind: fc.constantFrom("unsubscribe" as const, "leave" as const), which }) },
		{ weight: 2, arbitrary: fc.record({ kind: fc.constant("rest" as const) }) },
	),
	{ maxLength: 120, size: "max" },
);

/** A reader, and what the schedule knows of it. */
interface Reading {
	readonly reader: EventReader;
	readonly overflow: Overflow;
	readonly capacity: number;
	/** It gets the events behind this number. */
	readonly from: number;
	readonly answers: Promise<IteratorResult<StreamEvent> | StreamError>[];
	/** The events that were there when it began. */
	readonly backlog: number;
	mostWaiting: number;
	hasLeft: boolean;
}

/** A listener, and what it was told. */
interface Listening {
	readonly numbers: number[];
	readonly subscription: Subscription;
	/** The numbers of the log between which it listened. */
	readonly from: number;
	to: number;
}

class Schedule {
	readonly published: PublishedEvent[] = [];
	readonly log = new EventLog({ history: 10_000, onListenerError: () => {} });
	readonly readings: Reading[] = [];
	readonly listenings: Listening[] = [];
	readonly #contexts: StreamContext[];
	/** The event that is being told of, or was told of last. */
	#told = 0;
	#spare = 20;

	constructor() {
		const publish = (event: PublishedEvent): void => {
			// what a listener still answers the end with is no part of the log
			if (!this.log.ended) this.published.push(event);
			this.log.publish(event);
			this.#noteWaiting();
		};
		this.#contexts = [new StreamContext({ runId: "root", messageId: "m", scope: "robot", publish })];
		this.log.subscribe(({ sequenceNumber }) => {
			this.#told = sequenceNumber;
		});
	}

	async do(step: Step): Promise<void> {
		switch (step.kind) {
			case "publish":
				this.#context(step.which).publishEvent({ event: "text.delta", data: { partId: `part-${step.part}`, delta: step.text } });
				break;
			case "structural":
				this.#context(step.which).publishEvent({ event: "metadata.updated" });
				break;
			case "child":
				this.#contexts.push(this.#context(step.which).createChildContext(`run-${this.#contexts.length}`));
				break;
			case "subscribe":
				this.#subscribe(step.manner);
				break;
			case "unsubscribe":
				this.#stop(this.listenings[step.which % this.listenings.length]);
				break;
			case "open":
				this.#open(step.overflow, step.capacity, step.fromStart ? 0 : undefined);
				break;
			case "ask":
				this.#ask(this.readings[step.which % this.readings.length]);
				break;
			case "leave":
				await this.#leave(this.readings[step.which % this.readings.length]);
				break;
			case "rest":
				await new Promise((resolve) => setImmediate(resolve));
		}
	}

	/** Ends the log, and lets every reader read to its end. */
	async end(): Promise<void> {
		this.#context(0).publishEvent({ event: "stream.ended" });
		for (const listening of this.listenings) listening.to = Math.min(listening.to, this.published.length);
		for (const reading of this.readings) while (!isOver(await this.#ask(reading))) await reading.answers.at(-1);
	}

	#context(which: number): StreamContext {
		return this.#contexts[which % this.#contexts.length] as StreamContext;
	}

	#subscribe(manner: Manner): void {
		const numbers: number[] = [];
		const from = this.#told;
		const subscription = this.log.subscribe((event) => {
			numbers.push(event.sequenceNumber);
			return this.#behave(manner, listening);
		});
		const listening: Listening = { numbers, subscription, from, to: Number.POSITIVE_INFINITY };
		this.listenings.push(listening);
	}

	#behave(manner: Manner, listening: Listening): unknown {
		if (manner === "throws") throw new Error("a listener");
		if (manner === "rejects") return Promise.reject(new Error("a listener"));
		if (manner === "leaves") return this.#stop(listening);
		// so that listeners that answer each other are done at some time
		if (this.#spare === 0 || manner === "listens") return undefined;
		this.#spare -= 1;
		if (manner === "removes") return this.#stop(this.listenings[this.#spare % this.listenings.length]);
		if (manner === "adds") return this.#subscribe("listens");
		if (manner === "reads") return this.#open("coalesce", 2, this.#spare % 2 === 0 ? 0 : undefined);
		return this.#context(this.#spare).publishEvent({ event: "text.delta", data: { partId: "part-0", delta: "!" } });
	}

	#stop(listening: Listening | undefined): void {
		listening?.subscription.unsubscribe();
		// whether it had been told of the event that is being told of is for the listener's own list to say
		if (listening !== undefined) listening.to = Math.min(listening.to, Math.max(this.#told - 1, listening.numbers.at(-1) ?? 0));
	}

	#open(overflow: Overflow, capacity: number, after: number | undefined): void {
		const reader = this.log.events({ overflow, capacity, ...(after !== undefined && { after }) });
		const from = after ?? this.#told;
		this.readings.push({ reader, overflow, capacity, from, answers: [], backlog: this.#told - from, mostWaiting: 0, hasLeft: false });
	}

	#ask(reading: Reading | undefined): Promise<IteratorResult<StreamEvent> | StreamError> | undefined {
		const answer = reading?.reader.next().catch((error: StreamError) => error);
		if (answer !== undefined) reading?.answers.push(answer);
		return answer;
	}

	async #leave(reading: Reading | undefined): Promise<void> {
		if (reading !== undefined) reading.hasLeft = true;
		await reading?.reader.return();
	}

	#noteWaiting(): void {
		for (const reading of this.readings) {
			const asked = Math.max(0, reading.answers.length - reading.backlog);
			reading.mostWaiting = Math.max(reading.mostWaiting, this.published.length - reading.from - reading.backlog - asked);
		}
	}
}

const isOver = (answer: IteratorResult<StreamEvent> | StreamError | undefined): boolean =>
	answer === undefined || answer instanceof StreamError || answer.done === true;

it("Whoever keeps up gets exactly the log, who is slow an equivalent of it, and listeners of any manner change nothing for anybody", async () => {
	let keptUp = 0;
	let merged = 0;
	let overflown = 0;
	await fc.assert(
		fc.asyncProperty(steps, async (plan) => {
			const schedule = new Schedule();
			for (const step of plan) await schedule.do(step);
			await schedule.end();
			const { published, log, readings, listenings } = schedule;
			expect(numbersOf(published)).toEqual(published.map((_, index) => index + 1));
			expect(log.after(0).every((event, index) => Object.is(event, published[index]))).toBe(true);
			expect(log.lastSequenceNumber).toBe(published.length);
			for (const { numbers, from, to } of listenings) {
				expect(numbers).toEqual(numbersOf(published).filter((number) => number > from && number <= to));
			}
			for (const reading of readings) {
				const answers = await Promise.all(reading.answers);
				const got = answers.flatMap((answer) => (answer instanceof StreamError || answer.done === true ? [] : [answer.value]));
				const wanted = published.slice(reading.from);
				const isExact = got.every((event, index) => Object.is(event, wanted[index]));
				if (reading.hasLeft) {
					const numbers = numbersOf(got);
					expect(numbers).toEqual([...new Set(numbers)].sort((one, other) => one - other));
				} else if (reading.mostWaiting <= reading.capacity) {
					keptUp += 1;
					expect([isExact, got.length]).toEqual([true, wanted.length]);
				} else if (reading.overflow === "error") {
					overflown += 1;
					expect(isExact).toBe(true);
					expect(answers.filter((answer) => answer instanceof StreamError)).toHaveLength(1);
				} else {
					merged += got.some(({ firstSequenceNumber }) => firstSequenceNumber !== undefined) ? 1 : 0;
					expect(differenceFrom(wanted, got)).toBeUndefined();
				}
			}
		}),
		{ numRuns: 300 },
	);
	// the schedules were such as make a difference
	for (const count of [keptUp, merged, overflown]) expect(count).toBeGreaterThan(50);
});
