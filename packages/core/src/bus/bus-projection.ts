import type { Json } from "../json/json-values.js";
import type { FailureFacts, PublishedEvent, StreamEvent } from "../stream/stream-event.js";
import type { DeadLetterFacts, DeliveryFacts, MessageFacts } from "./bus-log.js";
import type { DeadLetterReason } from "./bus-transport.js";
import { drawSequence } from "./draw-sequence.js";

/** One attempt at a message, as the log tells of it. */
export interface ObservedAttempt {
	/** Its run in the log, beneath which is what its handler did there. */
	readonly runId: string;
	/** From 1. */
	readonly attempt: number;
	readonly state: "running" | "acked" | "failed" | "interrupted";
	/** Milliseconds. Absent while it runs. */
	readonly durationMs?: number;
	readonly error?: FailureFacts;
}

/** A message, as the log tells of it. */
export interface ObservedMessage {
	readonly key: string;
	readonly from: string;
	readonly to: string;
	readonly content: Json;
	/** The key of the message that it answers. */
	readonly inReplyTo?: string;
	/** How many had it. 0: it was given up while it waited for room. */
	readonly recipients: number;
	/** Those of all recipients, in the order in which they began. Empty where no handler was given it. */
	readonly attempts: readonly ObservedAttempt[];
	/** One for each recipient with whom it came to nothing. */
	readonly deaths: readonly ObservedDeath[];
}

/** How a message came to nothing with one recipient. */
export interface ObservedDeath {
	readonly reason: DeadLetterReason;
	readonly attempts: number;
	readonly error?: FailureFacts;
}

interface Noted {
	facts: MessageFacts | undefined;
	readonly attempts: Map<string, ObservedAttempt>;
	readonly deaths: ObservedDeath[];
}

const ENDS: Readonly<Record<string, ObservedAttempt["state"]>> = {
	"run.completed": "acked",
	"run.failed": "failed",
	"run.interrupted": "interrupted",
};

/** What happened on a bus, from nothing but its log: while it goes on, or from a file of long ago. It is the first bus that the log tells of. */
export class BusProjection {
	#bus: string | undefined;
	/** By key, in the order in which they were heard of. */
	readonly #messages: Map<string, Noted> = new Map();
	/** The messages of attempts, by the ids of their runs. */
	readonly #byRun: Map<string, Noted> = new Map();

	/** Is given each event of a log, in order. */
	observe(event: StreamEvent | PublishedEvent): void {
		this.#observe(event as PublishedEvent);
	}

	/** Everything that was sent, in order. One that waits for room is among them when it has it. */
	get messages(): readonly ObservedMessage[] {
		return [...this.#messages.values()].flatMap(({ facts, attempts, deaths }) =>
			facts === undefined ? [] : [{ ...facts, attempts: [...attempts.values()], deaths: [...deaths] }],
		);
	}

	/** A sequence diagram for https://mermaid.js.org: messages, answers with dashed lines, and what came to nothing as notes. */
	toMermaid(): string {
		return drawSequence(this.messages);
	}

	#observe({ event, data }: PublishedEvent): void {
		const { runId, messageId: _, scope, parentRunId, ...facts } = data;
		if (event === "run.started" && scope === "bus") this.#bus ??= runId;
		if (this.#bus === undefined) return;
		if (runId === this.#bus) this.#observeBus(event, facts);
		else if (event === "bus.delivery" && parentRunId === this.#bus) this.#begin(runId, facts as unknown as DeliveryFacts);
		else if (Object.hasOwn(ENDS, event)) this.#end(runId, ENDS[event] as ObservedAttempt["state"], facts);
	}

	#observeBus(event: string, facts: unknown): void {
		if (event === "bus.message") {
			const message = facts as MessageFacts;
			this.#noted(message.key).facts = message;
		} else if (event === "bus.dead_letter") {
			const { key, to: __, ...death } = facts as DeadLetterFacts;
			this.#noted(key).deaths.push(death);
		}
	}

	#begin(runId: string, { key, attempt }: DeliveryFacts): void {
		const noted = this.#noted(key);
		noted.attempts.set(runId, { runId, attempt, state: "running" });
		this.#byRun.set(runId, noted);
	}

	#end(runId: string, state: ObservedAttempt["state"], { durationMs, error }: Readonly<Record<string, unknown>>): void {
		const attempts = this.#byRun.get(runId)?.attempts;
		const begun = attempts?.get(runId);
		if (begun === undefined) return;
		const failure = error === undefined ? {} : { error: error as FailureFacts };
		attempts?.set(runId, { ...begun, state, durationMs: Number(durationMs), ...failure });
	}

	#noted(key: string): Noted {
		const known = this.#messages.get(key);
		if (known !== undefined) return known;
		const noted: Noted = { facts: undefined, attempts: new Map(), deaths: [] };
		this.#messages.set(key, noted);
		return noted;
	}
}
