import { isDeepStrictEqual } from "node:util";
import type { BusMember, MessageBus } from "../../src/bus/message-bus.js";
import type { RobotMessage } from "../../src/bus/robot-message.js";
import type { SentMessage } from "../../src/bus/sent-message.js";
import type { EventLog } from "../../src/stream/event-log.js";
import { assertWholeLog } from "../../src/testing/whole-log.js";
import * as facts from "./bus-schedule-facts.js";
import { type BusModel, codeOf } from "./bus-schedule-model.js";

export type Fact = "owed" | "letters" | "sends" | "settling" | "outboxes" | "outcomes" | "idleness" | "statistics" | "logged";

/** Sees what buses tell, and notes where the model of them says otherwise. */
export class ScheduleWitness {
	/** The first ones: what comes behind them may be their fault. */
	readonly differences = new Map<Fact, facts.Compared>();
	readonly #model: BusModel;
	readonly #buses: readonly MessageBus[];
	readonly #letters: string[][];
	readonly #results = new Map<number, string | undefined>();
	/** Those of which nobody has asked yet what became of them. */
	readonly #unasked: SentMessage[] = [];
	readonly #settled = new Map<number, readonly string[] | undefined>();
	readonly #answers = new Map<number, string>();
	/** How many wait until a bus is idle. */
	readonly #idle: number[];

	constructor(model: BusModel, buses: readonly MessageBus[]) {
		this.#model = model;
		this.#buses = buses;
		this.#letters = buses.map(() => []);
		this.#idle = buses.map(() => 0);
		for (const [place, bus] of buses.entries())
			bus.deadLetters.on("deadLetter", ({ message, reason, attempts }) => {
				this.#letters[place]?.push(`${facts.numberOf(message)} ${reason} ${attempts}`);
			});
	}

	get isOver(): boolean {
		return this.differences.size > 0;
	}

	get isIdle(): boolean {
		return this.#idle.every((waiting) => waiting === 0);
	}

	/** Resolves when a send has come out. `undefined`: it was refused. */
	async follow(number: number, sending: Promise<SentMessage>): Promise<SentMessage | undefined> {
		this.#results.set(number, undefined);
		try {
			const sent = await sending;
			this.#results.set(number, `${sent.recipients}`);
			if (number % 2 === 0) this.#ask(sent);
			else this.#unasked.push(sent);
			return sent;
		} catch (error) {
			this.#results.set(number, codeOf(error));
			return undefined;
		}
	}

	/** Resolves when an answer has come, or nobody waits for it. */
	async followReply(number: number, answering: Promise<RobotMessage>): Promise<void> {
		await answering.then(
			(reply) => this.#answers.set(number, `${facts.numberOf(reply)}`),
			(error) => this.#answers.set(number, codeOf(error)),
		);
	}

	compare(fact: Fact, compared: facts.Compared): void {
		if (!isDeepStrictEqual(compared.actual, compared.expected)) this.differences.set(fact, compared);
	}

	/** Compares all that can be known when everything has happened that happens by itself. */
	async compareAll(members: readonly BusMember[]): Promise<void> {
		for (const [place, bus] of this.#buses.entries()) void this.#waitUntilIdle(place, bus);
		for (let tick = 0; tick < 4; tick++) await Promise.resolve();
		this.compare("owed", facts.owed(this.#model));
		this.compare("letters", facts.letters(this.#model, this.#letters));
		this.compare("sends", facts.sends(this.#model, this.#results));
		this.compare("outboxes", facts.outboxes(this.#model, members));
		this.compare("outcomes", facts.outcomes(this.#model, this.#settled, this.#answers));
		this.compare("idleness", facts.idleness(this.#model, this.#idle));
		this.compare("statistics", facts.statistics(this.#model, this.#buses));
	}

	/** Asks late what became of what. */
	askTheRest(): void {
		for (const sent of this.#unasked) this.#ask(sent);
	}

	/** Compares what can be read when all buses are closed. */
	compareRecords(logs: readonly (EventLog | undefined)[]): void {
		const kept = this.#buses.map(({ deadLetters }) =>
			[...deadLetters].map(({ message, reason, attempts }) => `${facts.numberOf(message)} ${reason} ${attempts}`),
		);
		this.compare("letters", { actual: kept, expected: this.#letters });
		for (const [bus, log] of logs.entries()) if (log !== undefined) this.#compareLog(bus, log);
	}

	#compareLog(bus: number, log: EventLog): void {
		const events = log.after(0);
		try {
			assertWholeLog(events);
			this.compare("logged", facts.logged(this.#model, bus, events));
		} catch (error) {
			this.differences.set("logged", { actual: String(error), expected: "a whole log" });
		}
	}

	#ask(sent: SentMessage): void {
		const number = facts.numberOf(sent.message);
		this.#settled.set(number, undefined);
		void sent.settled().then((fates) => this.#settled.set(number, fates.map(facts.outcomeText).sort()));
	}

	async #waitUntilIdle(place: number, bus: MessageBus): Promise<void> {
		this.#idle[place] = (this.#idle[place] ?? 0) + 1;
		await bus.idle();
		this.#idle[place] = (this.#idle[place] ?? 0) - 1;
	}
}
