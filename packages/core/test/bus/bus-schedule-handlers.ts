import type { Delivery } from "../../src/bus/delivery.js";
import { messageKey, type RobotMessage } from "../../src/bus/robot-message.js";
import { type Deferred, deferred } from "../../src/process/deferred.js";
import { type Limits, type Manner, NAMES, type Plan, type Step, UNIT_MS } from "./bus-schedule.js";
import { type Call, noteCall } from "./bus-schedule-calls.js";
import * as facts from "./bus-schedule-facts.js";
import { type BusModel, codeOf, type Sent } from "./bus-schedule-model.js";
import type { Try } from "./bus-schedule-seat.js";
import type { ScheduleWitness } from "./bus-schedule-witness.js";

interface Held {
	readonly tried: Try;
	readonly call: Call;
	readonly delivery: Delivery;
	readonly end: Deferred<unknown>;
	isEnded: boolean;
}

/** What handlers do besides. */
export interface HandlerPorts {
	readonly reached: Set<string>;
	/** Of messages, by their numbers. */
	readonly keys: Map<number, string>;
	/** Resolves when the answer has come, if one is waited for. */
	sendMessage(who: number, step: Extract<Step, { kind: "send" }>): Promise<unknown>;
	leave(who: number): void;
}

const MOST_MESSAGES = 100;
export const JUST_RETURNS: readonly Manner[] = ["returns"];

/** The handlers of a schedule: what they do with what they are given, and what the model says to that. */
export class ScheduleHandlers {
	readonly calls: Call[] = [];
	readonly #plan: Plan;
	readonly #model: BusModel;
	readonly #witness: ScheduleWitness;
	readonly #ports: HandlerPorts;
	readonly #held: Held[] = [];

	constructor(plan: Plan, model: BusModel, witness: ScheduleWitness, ports: HandlerPorts) {
		this.#plan = plan;
		this.#model = model;
		this.#witness = witness;
		this.#ports = ports;
	}

	/** Is called as the handler of a member. */
	handle(who: number, message: RobotMessage, delivery: Delivery): unknown {
		if (this.#witness.isOver) return undefined;
		const content = message.content as facts.Content;
		const number = facts.numberOf(message);
		const manners = typeof content === "number" ? JUST_RETURNS : content.manners;
		this.#ports.keys.set(number, messageKey(message));
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
		this.#ports.reached.add(`handler ${manner}`);
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
		return noteCall(this.calls, { seat, sender, number, attempt }, limits as Limits);
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
				void this.#ports.sendMessage(who, step).then(() => this.#ends(held, "returns", undefined));
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
				this.#ports.leave(who);
				break;
			case "sends":
				if (this.#model.sent.length < MOST_MESSAGES)
					void this.#ports.sendMessage(who, {
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

	/** Does something with a delivery: mostly with one that is not settled, or whose handler goes on. */
	act(which: number, act: Extract<Step, { kind: "act" }>["act"]): void {
		const open = this.#held.filter(({ tried, isEnded }) => which % 5 === 0 || !isEnded || tried.state === "open");
		const held = open[which % open.length];
		if (held === undefined) return;
		this.#ports.reached.add(`by hand ${act}`);
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
			void this.#witness.follow(sent.number, delivery.reply({ number: sent.number, manners: JUST_RETURNS }));
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
		this.#ports.reached.add(actual);
		this.#witness.compare("settling", { actual, expected });
	}

	/** Ends a handler that goes on. */
	end(which: number, how: "returns" | "throws" | "answers"): void {
		const running = this.#held.filter(({ isEnded }) => !isEnded);
		const held = running[which % running.length];
		if (held === undefined) return;
		const { tried } = held;
		const isAnswer = how === "answers" && tried.place.seat.current === tried;
		const number = isAnswer ? (this.#model.answer(tried)?.number ?? -1) : -1;
		this.#ends(held, how === "throws" ? "throws" : "returns", how === "answers" ? { number, manners: JUST_RETURNS } : undefined);
	}

	/** A handler that was held comes to its end. */
	#ends(held: Held, how: "returns" | "throws", answer: unknown): void {
		if (held.isEnded || this.#witness.isOver) return;
		held.isEnded = true;
		if (held.tried.place.seat.current !== held.tried) this.#ports.reached.add("ends late");
		if (how === "throws" && held.tried.state === "open") held.call.wasRefused = true;
		this.#noteEnd(held, how);
		if (how === "throws") held.end.reject(new Error("throws"));
		else held.end.resolve(answer);
	}
}
