import { setImmediate } from "node:timers/promises";
import { vi } from "vitest";
import type { Delivery } from "../../src/bus/delivery.js";
import { InProcessTransport } from "../../src/bus/in-process-transport.js";
import { type BusMember, MessageBus } from "../../src/bus/message-bus.js";
import { messageKey, type RobotMessage } from "../../src/bus/robot-message.js";
import type { SentMessage } from "../../src/bus/sent-message.js";
import { type Deferred, deferred } from "../../src/process/deferred.js";
import { EventLog } from "../../src/stream/event-log.js";
import type { Subscription } from "../../src/stream/subscription.js";
import { type HandlerPlan, type Limits, type Manner, NAMES, type Plan, type Step, UNIT_MS } from "./bus-schedule.js";
import { type Call, noteCall } from "./bus-schedule-calls.js";
import * as facts from "./bus-schedule-facts.js";
import { BusModel, codeOf, type Letter, type Sent } from "./bus-schedule-model.js";
import { reachOf } from "./bus-schedule-reach.js";
import type { Try } from "./bus-schedule-seat.js";
import { type Fact, ScheduleWitness } from "./bus-schedule-witness.js";

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
	readonly #witness: ScheduleWitness;
	readonly #aborting: [Sent, AbortController][] = [];
	readonly #keys = new Map<number, string>();
	readonly #reached = new Set<string>();

	static async play(plan: Plan): Promise<Played> {
		const player = new SchedulePlayer(plan);
		await player.#play();
		vi.clearAllTimers();
		return { model: player.#model, calls: player.#calls, reached: player.#reached, differences: player.#witness.differences };
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
		this.#witness = new ScheduleWitness(this.#model, this.#buses);
		this.#members = plan.members.map(({ name, bus, handler }, who) => {
			const place = bus % this.#buses.length;
			const member = (this.#buses[place] as MessageBus).join(name);
			this.#model.sit(who, place, handler);
			if (handler !== undefined) this.#handlers[who] = this.#listen(who, member, handler);
			return member;
		});
	}

	get #isOver(): boolean {
		return this.#witness.isOver;
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
		for (let units = 0; !this.#isOver && units < 1_000 && !this.#witness.isIdle; units++) await this.#pass(1);
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
		const sent = await this.#witness.follow(number, sending);
		if (sent === undefined) return;
		this.#keys.set(number, sent.key);
		if (asks === undefined) return;
		this.#model.ask(this.#model.sent[number] as Sent, asks);
		await this.#witness.followReply(number, sent.reply({ timeoutMs: (asks + 0.5) * UNIT_MS }));
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
			this.#witness.compare("owed", { actual: what, expected: `${seat?.due?.mail.number}` });
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
		const { seats, sent } = this.#model;
		const seat = seats.findLastIndex(({ member }) => member === who);
		const sender = sent[number]?.member ?? -1;
		const limits = this.#plan.members[who]?.handler?.limits ?? this.#plan.buses[seats[seat]?.bus ?? 0];
		return noteCall(this.#calls, { seat, sender, number, attempt }, limits as Limits);
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
		this.#witness.compare("settling", { actual, expected });
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
		await this.#witness.compareAll(this.#members);
	}

	async #end(): Promise<void> {
		if (this.#isOver) {
			await Promise.all(this.#buses.map((bus) => bus.close()));
			return;
		}
		for (const bus of this.#buses.keys()) this.#close(bus);
		this.#witness.askTheRest();
		await this.#settleDown();
		this.#witness.compareRecords(this.#logs);
		for (const reached of reachOf(this.#model)) this.#reached.add(reached);
	}
}
