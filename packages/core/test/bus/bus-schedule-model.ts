import { BusError } from "../../src/errors/bus-error.js";
import { type HandlerPlan, type Plan, UNIT_MS } from "./bus-schedule.js";
import { type Death, type Fate, type Mail, type Place, SeatModel, type Try } from "./bus-schedule-seat.js";

/** How a send came out. `waits`: not yet. */
export type SendState = "waits" | "taken" | "aborted" | "closed" | "no_bus" | "unknown_recipient";

/** A message as who sent it knows it. */
export interface Sent extends Mail {
	readonly member: number;
	/** From where. `undefined`: whoever sends is on no bus. */
	readonly seat: SeatModel | undefined;
	readonly bus: number;
	readonly from: string;
	readonly to: string;
	readonly canAbort: boolean;
	readonly places: Place[];
	state: SendState;
	/** `undefined`: it was sent at the same time as room was made or taken, so who knows. */
	hadToWait: boolean | undefined;
	/** Of those recipients of whom whoever sent it has heard. */
	readonly fates: Fate[];
	readonly deaths: Death[];
	readonly replies: number[];
	/** It was answered when whoever sent it had left a bus: nobody says whether, and how often, that is heard. */
	isUnsure: boolean;
	ask: Ask | undefined;
}

/** Somebody waits for an answer: until it comes, or the code of a BusError does. */
interface Ask {
	state: string;
	readonly dueAt: number;
	/** It had ended in more than one way when that was told. */
	isOvertaken: boolean;
}

export interface Letter {
	readonly member: number;
	readonly seat: SeatModel | undefined;
	readonly from: string;
	readonly to: string;
	readonly canAbort?: boolean;
	/** What it answers, if that is a message to which such an answer can be found. */
	readonly inReplyTo?: Sent | undefined;
	readonly isReply: boolean;
	/** Nobody waits for room, or is told that there is nobody. */
	readonly isAnswer?: boolean;
}

/** What several buses on one transport have to do. */
export class BusModel {
	now = 0;
	/** What goes on now goes on at the same time as other things, in an order that is nobody's business. */
	isBusy = false;
	readonly isOpen: boolean[];
	readonly seats: SeatModel[] = [];
	readonly sent: Sent[] = [];
	readonly #plan: Plan;
	readonly #seatOf: (SeatModel | undefined)[] = [];

	constructor(plan: Plan) {
		this.#plan = plan;
		this.isOpen = plan.buses.map(() => true);
	}

	/** Also one whose bus is closed. */
	seatOf(member: number): SeatModel | undefined {
		return this.#seatOf[member];
	}

	sit(member: number, bus: number, handler: HandlerPlan | undefined): void {
		const { name } = this.#plan.members[member] ?? { name: "" };
		const seat = new SeatModel({ member, bus, name, handler }, this.#plan.buses[bus] ?? NO_LIMITS, {
			now: () => this.now,
			done: (place, fate) => this.#done(place, fate),
			took: (place) => this.#look(this.#sentOf(place)),
		});
		this.seats.push(seat);
		this.leave(member);
		this.#seatOf[member] = seat;
	}

	leave(member: number): void {
		const seat = this.#seatOf[member];
		this.#seatOf[member] = undefined;
		seat?.leave();
		for (const { ask, seat: from } of this.sent) {
			if (from !== seat || ask?.state !== "waits") continue;
			ask.state = "no_bus";
			ask.isOvertaken ||= this.isBusy;
		}
	}

	send({ member, seat, from, to, canAbort = false, inReplyTo, isReply, isAnswer = false }: Letter): Sent {
		const number = this.sent.length;
		const bus = seat?.bus ?? -1;
		const isUp = this.isOpen[bus] === true;
		const there = isUp ? this.seats.filter(({ name, end }) => name === to && end === undefined) : [];
		const state = seat === undefined ? "no_bus" : isUp ? (there.length > 0 ? "waits" : "unknown_recipient") : "closed";
		const sent: Sent = {
			...{ number, isReply, member, seat, bus, from, to, canAbort, state, places: [], fates: [], deaths: [], replies: [] },
			...{ hadToWait: false, isUnsure: false, ask: undefined },
		};
		this.sent.push(sent);
		// all places are there before the first of them can be all that it waits for
		const places = there.map((recipient) => recipient.offer(sent));
		sent.places.push(...places);
		const hadToWait = places.some((place) => place.state === "waits");
		if (state === "waits") sent.hadToWait = this.isBusy ? undefined : hadToWait;
		if (state === "unknown_recipient" && isAnswer) sent.deaths.push({ reason: "left", attempts: 0 });
		this.#look(sent);
		if (inReplyTo !== undefined && there.length > 0) this.#reply(inReplyTo, sent);
		return sent;
	}

	abort(sent: Sent): void {
		if (sent.canAbort && sent.state === "waits") this.#withdraw(sent, "aborted");
	}

	/** A handler has answered with something. */
	answer({ place, handler, state }: Try): Sent | undefined {
		const asked = this.#sentOf(place);
		if (handler.kind !== "tasks" || state === "nacked") return undefined;
		const { seat } = place;
		return this.send({ member: seat.member, seat, from: seat.name, to: asked.from, inReplyTo: asked, isReply: true, isAnswer: true });
	}

	/** Whoever sent it begins to wait for an answer. */
	ask(sent: Sent, units: number): void {
		const [first] = sent.replies;
		const isHere = this.isOpen[sent.bus] ? (this.seatOf(sent.member) === sent.seat ? "waits" : "no_bus") : "closed";
		const isOver = isDead(sent) ? "not_delivered" : isHere;
		sent.ask = {
			state: first === undefined ? isOver : `${first}`,
			dueAt: this.now + (units + 0.5) * UNIT_MS,
			isOvertaken: isHere !== "waits",
		};
	}

	pass(ms: number): void {
		this.now += ms;
		for (const { ask } of this.sent) if (ask?.state === "waits" && ask.dueAt <= this.now) ask.state = "timed_out";
	}

	/** Everything has happened that happens by itself. */
	settleDown(): void {
		for (const seat of this.seats) seat.catchUp();
	}

	close(bus: number): void {
		if (!this.isOpen[bus]) return;
		const own = this.seats.filter((seat) => seat.bus === bus);
		for (const seat of own) seat.close();
		this.isOpen[bus] = false;
		for (const sent of this.sent.filter((each) => each.bus === bus)) {
			if (sent.state === "waits") {
				this.#withdraw(sent, "closed");
				sent.deaths.push({ reason: "closed", attempts: 0 });
			} else if (sent.state === "taken") {
				const missing = sent.places.length - sent.fates.length;
				for (let place = 0; place < missing; place++) this.#hear(sent, { reason: "lost", attempts: 0 });
			}
			if (sent.ask === undefined) continue;
			sent.ask.isOvertaken = true;
			if (sent.ask.state === "waits") sent.ask.state = "closed";
		}
	}

	isIdle(bus: number): boolean {
		if (!this.isOpen[bus]) return true;
		const isOpen = (sent: Sent): boolean => sent.state === "waits" || (sent.state === "taken" && sent.fates.length < sent.places.length);
		return !this.sent.some((sent) => sent.bus === bus && isOpen(sent)) && this.seats.every((seat) => seat.bus !== bus || seat.isIdle);
	}

	#sentOf({ mail }: Place): Sent {
		return this.sent[mail.number] as Sent;
	}

	#done(place: Place, fate: Fate): void {
		const sent = this.#sentOf(place);
		if (this.isOpen[sent.bus]) this.#hear(sent, fate);
		this.#look(sent);
	}

	#hear(sent: Sent, fate: Fate): void {
		sent.fates.push(fate);
		if (fate !== "acked") sent.deaths.push(fate);
		if (isDead(sent) && sent.ask?.state === "waits") sent.ask.state = "not_delivered";
	}

	/** Whether it has room with all by now. */
	#look(sent: Sent): void {
		if (sent.state === "waits" && sent.places.length > 0 && sent.places.every(({ state }) => state !== "waits")) sent.state = "taken";
	}

	#withdraw(sent: Sent, state: "aborted" | "closed"): void {
		sent.state = state;
		for (const place of sent.places) if (place.state === "waits") place.state = "done";
	}

	#reply(asked: Sent, reply: Sent): void {
		if (asked.from !== reply.to) return;
		const seat = this.#seatOf[asked.member];
		if (seat === undefined || seat.end !== undefined) asked.isUnsure = true;
		asked.replies.push(reply.number);
		if (asked.ask?.state === "waits") asked.ask.state = `${reply.number}`;
	}
}

const NO_LIMITS = { maxAttempts: 1, retryDelay: 0, ackTimeout: 1, capacity: 1 };

/** Nobody has handled it. */
export const isDead = ({ state, fates, places }: Sent): boolean =>
	state === "taken" && fates.length === places.length && !fates.includes("acked");

export const codeOf = (error: unknown): string => (BusError.isInstance(error) ? error.code : String(error));
