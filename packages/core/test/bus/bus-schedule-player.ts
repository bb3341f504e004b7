import { setImmediate } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { vi } from "vitest";
import type { Delivery } from "../../src/bus/delivery.js";
import { InProcessTransport } from "../../src/bus/in-process-transport.js";
import { type BusMember, MessageBus } from "../../src/bus/message-bus.js";
import { messageKey, type RobotMessage } from "../../src/bus/robot-message.js";
import type { SentMessage } from "../../src/bus/sent-message.js";
import { BusError } from "../../src/errors/bus-error.js";
import { type Deferred, deferred } from "../../src/process/deferred.js";
import { EventLog } from "../../src/stream/event-log.js";
import type { Subscription } from "../../src/stream/subscription.js";
import { assertWholeLog } from "../../src/testing/whole-log.js";
import { type HandlerPlan, type Manner, NAMES, type Plan, type Step, UNIT_MS } from "./bus-schedule.js";
import * as facts from "./bus-schedule-facts.js";
import { BusModel, type Letter, type Sent } from "./bus-schedule-model.js";
import type { Try } from "./bus-schedule-seat.js";

/** One call of a handler, as it was. */
export interface Call {
	readonly seat: number;
	readonly sender: number;
	readonly number: number;
	readonly attempt: number;
	readonly most: number;
	readonly at: number;
	/** When its time is up. */
	deadline: number;
	wasRefused: boolean;
	/** Nobody waits for it any longer. */
	isOver: boolean;
	/** Others that were not over when it began. */
	readonly besides: number;
}

export type Fact = "owed" | "letters" | "sends" | "settling" | "outboxes" | "outcomes" | "idleness" | "statistics" | "logged";

/** How a schedule went, as far as the first difference. */
export interface Played {
	readonly model: BusModel;
	readonly calls: readonly Call[];
	readonly reached: ReadonlySet<string>;
	readonly differences: ReadonlyMap<Fact, facts.Compared>;
}

interface Held {
	readonly tried: Try;
	readonly call: Call;
	readonly delivery: Delivery;
	readonly end: Deferred<unknown>;
	isEnded: boolean;
}

const MOST_MESSAGES = 100;
const JUST_RETURNS: readonly Manner[] = ["returns"];

/** Does the same to buses and to the model of them, and compares. Needs faked timers. */
export class SchedulePlayer {
	readonly #plan: Plan;
	readonly #model: BusModel;
	readonly #buses: MessageBus[];
	readonly #logs: (EventLog | undefined)[];
	readonly #members: BusMember[];
	readonly #handlers: (Subscription | undefined)[] = [];
	readonly #held: Held[] = [];
	readonly #calls: Call[] = [];
	readonly #letters: string[][];
	readonly #aborting: [Sent, AbortController][] = [];
	readonly #keys = new Map<number, string>();
	readonly #results = new Map<number, string | undefined>();
	readonly #late: SentMessage[] = [];
	readonly #settled = new Map<number, readonly string[] | undefined>();
	readonly #answers = new Map<number, string>();
	readonly #idle: number[];
	readonly #reached = new Set<string>();
	readonly #differences = new Map<Fact, facts.Compared>();

	static async play(plan: Plan): Promise<Played> {
		const player = new SchedulePlayer(plan);
		await player.#play();
		vi.clearAllTimers();
		return { model: player.#model, calls: player.#calls, reached: player.#reached, differences: player.#differences };
	}

	private constructor(plan: Plan) {
		this.#plan = plan;
		this.#model = new BusModel(plan);
		const transport = new InProcessTransport();
		this.#logs = plan.buses.map(() => (plan.isLogged ? new EventLog({ history: 100_000 }) : undefined));
		this.#buses = plan.buses.map(({ capacity, maxAttempts, ackTimeout, retryDelay }, bus) => {
			const log = this.#logs[bus];
			const limits = { maxAttempts, ackTimeoutMs: ackTimeout * UNIT_MS, retryDelayMs: retryDelay * UNIT_MS };
			return new MessageBus({ transport, maxPending: capacity, ...limits, ...(log !== undefined && { log }) });
		});
		this.#letters = this.#buses.map(() => []);
		this.#idle = this.#buses.map(() => 0);
		for (const [place, bus] of this.#buses.entries())
			bus.deadLetters.on("deadLetter", ({ message, reason, attempts }) => {
				this.#letters[place]?.push(`${facts.numberOf(message)} ${reason} ${attempts}`);
			});
		this.#members = plan.members.map(({ name, bus, handler }, who) => {
			const place = bus % this.#buses.length;
			const member = (this.#buses[place] as MessageBus).join(name);
			this.#model.sit(who, place, handler);
			if (handler !== undefined) this.#handlers[who] = this.#listen(who, member, handler);
			return member;
		});
	}

	get #isOver(): boolean {
		return this.#differences.size > 0;
	}

	async #play(): Promise<void> {
		for (const step of this.#plan.steps) {
			if (step.kind === "wait" || (step.kind === "end" && step.how === "answers")) await this.#settleDown();
			const doing = this.#do(step);
			// nothing comes between who is rushed and the next one
			if (doing !== undefined) await doing;
			if (!step.isRushed) await this.#settleDown();
			if (this.#isOver) break;
		}
		await this.#settleDown();
		for (let units = 0; !this.#isOver && units < 1_000 && this.#idle.some((waiting) => waiting > 0); units++) await this.#pass(1);
		await this.#end();
	}

	#do(step: Step): undefined | Promise<void> {
		this.#reached.add(step.kind);
		switch (step.kind) {
			case "send":
				this.#sendMessage(step.who % this.#members.length, step);
				break;
			case "reply":
				this.#sendReply(step.who % this.#members.length, step.which, step.isForged);
				break;
			case "abort": {
				const [sent, aborting] = this.#aborting[step.which % this.#aborting.length] ?? [];
				if (sent !== undefined) this.#model.abort(sent);
				aborting?.abort("aborted");
				break;
			}
			case "act":
				this.#act(step.which, step.act);
				break;
			case "end":
				return this.#endHandler(step.which, step.how);
			case "leave":
				this.#leave(step.who % this.#members.length);
				break;
			case "move":
				this.#move(step.who % this.#members.length, step.bus % this.#buses.length);
				break;
			case "mute":
			case "listen":
				this.#setHandler(step.who % this.#members.length, step.kind);
				break;
			case "close":
				this.#close(step.bus % this.#buses.length);
				break;
			case "wait":
				return this.#pass(step.units);
		}
		return undefined;
	}

	#sendMessage(who: number, { to, canAbort, asks, manners }: Extract<Step, { kind: "send" }>): Promise<unknown> {
		const aborting = new AbortController();
		const { sent, content } = this.#posted(who, { to, canAbort, isReply: false }, manners);
		if (canAbort) this.#aborting.push([sent, aborting]);
		const signal = canAbort ? aborting.signal : undefined;
		return this.#follow(sent, (this.#members[who] as BusMember).sendMessage({ to, content, signal }), asks);
	}

	/** Answers a message that need not be one's own; a forged answer is for somebody else than who sent that. */
	#sendReply(who: number, which: number, isForged: boolean): void {
		const keys = [...this.#keys];
		const [number, key] = keys[which % keys.length] ?? [];
		if (number === undefined || key === undefined) return;
		const asked = this.#model.sent[number] as Sent;
		const to = isForged ? (NAMES.find((name) => name !== asked.from) ?? "") : asked.from;
		const inReplyTo = isForged ? `${to}:${key.slice(asked.from.length + 1)}` : key;
		const letter = { to, isReply: true, ...(!isForged && { inReplyTo: asked }) };
		const { sent, content } = this.#posted(who, letter, JUST_RETURNS);
		void this.#follow(sent, (this.#members[who] as BusMember).sendReply({ to, inReplyTo, content }), undefined);
	}

	#posted(
		who: number,
		letter: Omit<Letter, "member" | "seat" | "from">,
		manners: readonly Manner[],
	): { sent: Sent; content: facts.Content } {
		const from = this.#plan.members[who]?.name ?? "";
		const sent = this.#model.send({ ...letter, member: who, seat: this.#model.seatOf(who), from });
		return { sent, content: { number: sent.number, manners } };
	}

	/** Resolves when an answer has come, or nobody waits for it. */
	async #follow({ number }: Sent, sending: Promise<SentMessage>, asks: number | undefined): Promise<void> {
		this.#results.set(number, undefined);
		let sent: SentMessage;
		try {
			sent = await sending;
		} catch (error) {
			this.#results.set(number, codeOf(error));
			return;
		}
		this.#results.set(number, `${sent.recipients}`);
		this.#keys.set(number, sent.key);
		if (number % 2 === 0) this.#askFate(sent);
		else this.#late.push(sent);
		if (asks === undefined) return;
		this.#model.ask(this.#model.sent[number] as Sent, asks);
		await sent.reply({ timeoutMs: (asks + 0.5) * UNIT_MS }).then(
			(reply) => this.#answers.set(number, `${facts.numberOf(reply)}`),
			(error) => this.#answers.set(number, codeOf(error)),
		);
	}

	#askFate(sent: SentMessage): void {
		const number = facts.numberOf(sent.message);
		this.#settled.set(number, undefined);
		void sent.settled().then((fates) => this.#settled.set(number, fates.map(facts.outcomeText).sort()));
	}

	#listen(who: number, member: BusMember, { kind, ack, limits }: HandlerPlan): Subscription {
		const handler = (message: RobotMessage, delivery: Delivery): unknown => this.#handle(who, message, delivery);
		const options = {
			ack,
			...(limits !== undefined && {
				maxAttempts: limits.maxAttempts,
				ackTimeoutMs: limits.ackTimeout * UNIT_MS,
				retryDelayMs: limits.retryDelay * UNIT_MS,
			}),
		};
		return kind === "tasks" ? member.respondToTasks(handler, options) : member.onMessage(handler, options);
	}

	#handle(who: number, message: RobotMessage, delivery: Delivery): unknown {
		if (this.#isOver) return undefined;
		const content = message.content as facts.Content;
		const number = facts.numberOf(message);
		const manners = typeof content === "number" ? JUST_RETURNS : content.manners;
		this.#keys.set(number, messageKey(message));
		const seat = this.#model.seatOf(who);
		const tried = seat?.give(number, delivery.attempt);
		const call = this.#called(who, number, delivery.attempt);
		if (tried === undefined) {
			const what = `message ${number}, attempt ${delivery.attempt}, for member ${who}`;
			this.#differences.set("owed", { actual: what, expected: `${seat?.due?.mail.number}` });
			return undefined;
		}
		const held: Held = { tried, call, delivery, end: deferred(), isEnded: false };
		this.#held.push(held);
		const manner = manners[(delivery.attempt - 1) % manners.length] ?? "returns";
		this.#reached.add(`handler ${manner}`);
		this.#model.isBusy = true;
		try {
			return this.#behave(who, held, manner);
		} finally {
			this.#model.isBusy = false;
		}
	}

	#called(who: number, number: number, attempt: number): Call {
		const seat = this.#model.seats.findLastIndex(({ member }) => member === who);
		const { maxAttempts, ackTimeout } =
			this.#plan.members[who]?.handler?.limits ?? (this.#plan.buses[this.#model.seats[seat]?.bus ?? 0] as Plan["buses"][number]);
		const at = performance.now();
		const besides = this.#calls.filter((each) => each.seat === seat && !each.isOver && each.deadline > at).length;
		const sender = this.#model.sent[number]?.member ?? -1;
		const times = { at, deadline: at + ackTimeout * UNIT_MS };
		const call = { ...{ seat, sender, number, attempt, besides, most: maxAttempts }, ...times, wasRefused: false, isOver: false };
		this.#calls.push(call);
		return call;
	}

	#behave(who: number, held: Held, manner: Manner): unknown {
		const { tried, delivery, call } = held;
		switch (manner) {
			case "holds":
				return held.end.promise;
			case "asks": {
				if (this.#model.sent.length >= MOST_MESSAGES) return held.end.promise;
				const to = NAMES[tried.place.mail.number % NAMES.length] as string;
				const step = { kind: "send", who, to, canAbort: false, asks: 5, manners: ["answers"], isRushed: false } as const;
				void this.#sendMessage(who, step).then(() => this.#ends(held, "returns", undefined));
				return held.end.promise;
			}
			case "throws":
				call.wasRefused = tried.state === "open";
				this.#ended(held, "throws");
				throw new Error("throws");
			case "answers": {
				const number = this.#model.answer(tried)?.number ?? -1;
				this.#ended(held, "returns");
				return number; // what is no object is taken at once
			}
			case "acks":
				this.#settle(held, "ack");
				break;
			case "nacks":
				this.#settle(held, "nack");
				break;
			case "leaves":
				this.#leave(who);
				break;
			case "sends":
				if (this.#model.sent.length < MOST_MESSAGES)
					void this.#sendMessage(who, {
						...{ kind: "send", who, to: NAMES[tried.place.mail.number % NAMES.length] ?? "", canAbort: false },
						...{ manners: JUST_RETURNS, isRushed: false },
					});
				break;
			default:
				delivery satisfies Delivery;
		}
		this.#ended(held, "returns");
		return undefined;
	}

	/** A handler that is being called is at its end. */
	#ended(held: Held, how: "returns" | "throws"): void {
		held.isEnded = true;
		this.#noteEnd(held, how);
		held.tried.place.seat.catchUp();
	}

	#noteEnd({ tried, call }: Held, how: "returns" | "throws"): void {
		const { seat } = tried.place;
		seat.catchUpWithTime();
		if (seat.current === tried) tried.end = how;
		// who settles by hand still has the message
		call.isOver = tried.state !== "open" || how === "throws" || tried.handler.ack === "auto";
	}

	#act(which: number, act: Extract<Step, { kind: "act" }>["act"]): void {
		const open = this.#held.filter(({ tried, isEnded }) => which % 5 === 0 || !isEnded || tried.state === "open");
		const held = open[which % open.length];
		if (held === undefined) return;
		this.#reached.add(`by hand ${act}`);
		const { tried, delivery, call } = held;
		if (act === "ack" || act === "nack") this.#settle(held, act);
		else if (act === "extend") {
			const isOpen = tried.state === "open";
			if (isOpen) {
				tried.deadline = this.#model.now + 2 * UNIT_MS;
				call.deadline = performance.now() + 2 * UNIT_MS;
			}
			this.#compareSettling(isOpen, () => delivery.extend(2 * UNIT_MS));
		} else {
			const { seat, mail } = tried.place;
			const asked = this.#model.sent[mail.number] as Sent;
			const letter = { to: asked.from, inReplyTo: asked, isReply: true, member: seat.member, seat, from: seat.name };
			const sent = this.#model.send(letter);
			void this.#follow(sent, delivery.reply({ number: sent.number, manners: JUST_RETURNS }), undefined);
		}
	}

	#settle({ tried, delivery, call, isEnded }: Held, act: "ack" | "nack"): void {
		const counts = tried.place.seat.settle(tried, act);
		if (counts && act === "nack") call.wasRefused = true;
		if (counts && isEnded) call.isOver = true;
		this.#compareSettling(counts, () => (act === "ack" ? delivery.ack() : delivery.nack("refused")));
	}

	/** What is settled already, or not in time, cannot be settled. */
	#compareSettling(counts: boolean, settle: () => void): void {
		const expected = counts ? "settled" : "already_settled";
		let actual = "settled";
		try {
			settle();
		} catch (error) {
			actual = codeOf(error);
		}
		this.#reached.add(actual);
		if (actual !== expected) this.#differences.set("settling", { actual, expected });
	}

	#endHandler(which: number, how: "returns" | "throws" | "answers"): undefined | Promise<void> {
		const running = this.#held.filter(({ isEnded }) => !isEnded);
		const held = running[which % running.length];
		if (held === undefined) return undefined;
		const { tried } = held;
		const isAnswer = how === "answers" && tried.place.seat.current === tried;
		const number = isAnswer ? (this.#model.answer(tried)?.number ?? -1) : -1;
		this.#ends(held, how === "throws" ? "throws" : "returns", how === "answers" ? { number, manners: JUST_RETURNS } : undefined);
		return how === "answers" ? this.#settleDown() : undefined;
	}

	/** A handler that was held comes to its end. */
	#ends(held: Held, how: "returns" | "throws", answer: unknown): void {
		if (held.isEnded || this.#isOver) return;
		held.isEnded = true;
		if (held.tried.place.seat.current !== held.tried) this.#reached.add("ends late");
		if (how === "throws" && held.tried.state === "open") held.call.wasRefused = true;
		this.#noteEnd(held, how);
		if (how === "throws") held.end.reject(new Error("throws"));
		else held.end.resolve(answer);
	}

	#leave(who: number): void {
		this.#model.leave(who);
		this.#members[who]?.leaveBus();
	}

	#move(who: number, bus: number): void {
		const member = this.#members[who];
		if (this.#model.seatOf(who)?.bus === bus || !this.#model.isOpen[bus]) return;
		this.#model.sit(who, bus, this.#handlers[who] === undefined ? undefined : this.#plan.members[who]?.handler);
		member?.withBus(this.#buses[bus]);
	}

	#setHandler(who: number, kind: "mute" | "listen"): void {
		const handler = this.#plan.members[who]?.handler;
		if (handler === undefined || handler.limits !== undefined) return;
		const isThere = this.#handlers[who] !== undefined;
		if (isThere !== (kind === "mute")) return;
		this.#handlers[who]?.unsubscribe();
		this.#handlers[who] = isThere ? undefined : this.#listen(who, this.#members[who] as BusMember, handler);
		const seat = this.#model.seatOf(who);
		if (seat !== undefined) seat.handler = isThere ? undefined : handler;
	}

	#close(bus: number): void {
		this.#model.close(bus);
		void this.#buses[bus]?.close();
	}

	/** Who waits for an answer has waited for too long in the middle of a unit. */
	async #pass(units: number): Promise<void> {
		const ms = UNIT_MS / 2;
		for (let half = 0; half < 2 * units && !this.#isOver; half++) {
			this.#model.pass(ms);
			vi.advanceTimersByTime(ms);
			await this.#settleDown();
		}
	}

	async #settleDown(): Promise<void> {
		await setImmediate();
		await setImmediate();
		if (this.#isOver) return;
		this.#model.settleDown();
		for (const [place, bus] of this.#buses.entries()) {
			this.#idle[place] = (this.#idle[place] ?? 0) + 1;
			void bus.idle().then(() => {
				this.#idle[place] = (this.#idle[place] ?? 0) - 1;
			});
		}
		for (let tick = 0; tick < 4; tick++) await Promise.resolve();
		this.#compare("owed", facts.owed(this.#model));
		this.#compare("letters", facts.letters(this.#model, this.#letters));
		this.#compare("sends", facts.sends(this.#model, this.#results));
		this.#compare("outboxes", facts.outboxes(this.#model, this.#members));
		this.#compare("outcomes", facts.outcomes(this.#model, this.#settled, this.#answers));
		this.#compare("idleness", facts.idleness(this.#model, this.#idle));
		this.#compare("statistics", facts.statistics(this.#model, this.#buses));
	}

	#compare(fact: Fact, compared: facts.Compared): void {
		if (!isDeepStrictEqual(compared.actual, compared.expected)) this.#differences.set(fact, compared);
	}

	async #end(): Promise<void> {
		if (this.#isOver) {
			await Promise.all(this.#buses.map((bus) => bus.close()));
			return;
		}
		for (const bus of this.#buses.keys()) this.#close(bus);
		for (const sent of this.#late) this.#askFate(sent);
		await this.#settleDown();
		for (const [bus, log] of this.#logs.entries()) if (log !== undefined) this.#compareLog(bus, log);
		const letters = this.#buses.map(({ deadLetters }) =>
			[...deadLetters].map(({ message, reason, attempts }) => `${facts.numberOf(message)} ${reason} ${attempts}`),
		);
		this.#compare("letters", { actual: letters, expected: this.#letters });
		this.#noteReached();
	}

	#compareLog(bus: number, log: EventLog): void {
		const events = log.after(0);
		try {
			assertWholeLog(events);
		} catch (error) {
			this.#differences.set("logged", { actual: String(error), expected: "a whole log" });
			return;
		}
		this.#compare("logged", facts.logged(this.#model, bus, events));
	}

	#noteReached(): void {
		const { sent, seats } = this.#model;
		const all = new Set([
			...sent.flatMap(({ deaths }) => deaths.map(({ reason }) => `dead: ${reason}`)),
			...sent.map(({ state }) => `sent: ${state}`),
			...sent.flatMap(({ ask }) => (ask === undefined ? [] : [`answer: ${Number.isNaN(Number(ask.state)) ? ask.state : "came"}`])),
			...sent.flatMap(({ hadToWait, places }) => [hadToWait ? "had to wait" : "", places.length > 1 ? "several recipients" : ""]),
			...sent.flatMap(({ bus, places }) => (places.some(({ seat }) => seat.bus !== bus) ? ["to another bus"] : [])),
			...seats.flatMap(({ places }) => (places.some(({ mail, attempts }) => mail.isReply && attempts === 0) ? ["passed over"] : [])),
			...seats.flatMap(({ counts }) => [counts.redelivered > 0 ? "tried again" : "", counts.timedOut > 0 ? "out of time" : ""]),
		]);
		for (const reached of all) this.#reached.add(reached);
	}
}

const codeOf = (error: unknown): string => (BusError.isInstance(error) ? error.code : String(error));
