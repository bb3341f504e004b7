import { ConfigurationError } from "../errors/configuration-error.js";
import { checkNames } from "../options/check-options.js";
import type { FailureFacts, PublishedEvent, StreamEvent } from "../stream/stream-event.js";
import { describeValue } from "../text/describe-value.js";
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

/** Which part of a log is looked at. */
export interface BusProjectionOptions {
	/** The name of a bus, or the id of its run. Default: all buses of the log, which several may be beneath one run. */
	readonly bus?: string | undefined;
}

/** A message, as the log tells of it. */
export interface ObservedMessage extends MessageFacts {
	/** The id of the run of its bus. */
	readonly busRunId: string;
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
	readonly busRunId: string;
	facts: MessageFacts | undefined;
	readonly attempts: Map<string, ObservedAttempt>;
	readonly deaths: ObservedDeath[];
}

const ENDS: Readonly<Record<string, ObservedAttempt["state"]>> = {
	"run.completed": "acked",
	"run.failed": "failed",
	"run.interrupted": "interrupted",
};

/** What happened on the buses of a log, from nothing but that: while it goes on, or from a file of long ago. */
export class BusProjection {
	readonly #wanted: string | undefined;
	/** The runs of buses. */
	readonly #buses: Set<string> = new Set();
	/** By the run of their bus and their key, which is unique in one bus only, in the order in which they were heard of. */
	readonly #messages: Map<string, Noted> = new Map();
	/** The messages of attempts, by the ids of their runs. */
	readonly #byRun: Map<string, Noted> = new Map();

	/** Throws ConfigurationError for options that are none. */
	constructor(options: BusProjectionOptions = {}) {
		checkNames("new BusProjection()", options, ["bus"]);
		const { bus } = options;
		if (bus !== undefined && typeof bus !== "string")
			throw new ConfigurationError(`new BusProjection() needs the name of a bus, or the id of its run, as bus, got ${describeValue(bus)}.`);
		this.#wanted = bus;
	}

	/** Is given each event of a log, in order. */
	observe(event: StreamEvent | PublishedEvent): void {
		this.#observe(event as PublishedEvent);
	}

	/** Everything that was sent, in order. One that waits for room is among them when it has it. */
	get messages(): readonly ObservedMessage[] {
		return [...this.#messages.values()].flatMap(({ busRunId, facts, attempts, deaths }) =>
			facts === undefined ? [] : [{ busRunId, ...facts, attempts: [...attempts.values()], deaths: [...deaths] }],
		);
	}

	/** A sequence diagram for https://mermaid.js.org: messages, answers with dashed lines, and what came to nothing as notes. */
	toMermaid(): string {
		return drawSequence(this.messages);
	}

	#observe({ event, data }: PublishedEvent): void {
		const { runId, messageId: _, scope, parentRunId, ...facts } = data;
		if (event === "run.started" && scope === "bus" && this.#isWanted(runId, facts)) this.#buses.add(runId);
		if (this.#buses.has(runId)) this.#observeBus(runId, event, facts);
		else if (event === "bus.delivery" && this.#buses.has(`${parentRunId}`))
			this.#begin(`${parentRunId}`, runId, facts as unknown as DeliveryFacts);
		else if (Object.hasOwn(ENDS, event)) this.#end(runId, ENDS[event] as ObservedAttempt["state"], facts);
	}

	#isWanted(runId: string, { name }: Readonly<Record<string, unknown>>): boolean {
		return this.#wanted === undefined || this.#wanted === runId || this.#wanted === name;
	}

	#observeBus(busRunId: string, event: string, facts: unknown): void {
		if (event === "bus.message") {
			const message = facts as MessageFacts;
			this.#noted(busRunId, message.key).facts = message;
		} else if (event === "bus.dead_letter") {
			const { key, to: __, ...death } = facts as DeadLetterFacts;
			this.#noted(busRunId, key).deaths.push(death);
		}
	}

	#begin(busRunId: string, runId: string, { key, attempt }: DeliveryFacts): void {
		const noted = this.#noted(busRunId, key);
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

	#noted(busRunId: string, key: string): Noted {
		const place = `${busRunId} ${key}`;
		const known = this.#messages.get(place);
		if (known !== undefined) return known;
		const noted: Noted = { busRunId, facts: undefined, attempts: new Map(), deaths: [] };
		this.#messages.set(place, noted);
		return noted;
	}
}
