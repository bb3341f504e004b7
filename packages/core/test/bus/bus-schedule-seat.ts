import type { DeadLetterReason } from "../../src/bus/bus-transport.js";
import { type HandlerPlan, type Limits, UNIT_MS } from "./bus-schedule.js";

export interface Death {
	readonly reason: DeadLetterReason;
	readonly attempts: number;
}

/** What became of a message with one recipient. */
export type Fate = "acked" | Death;

/** A message as its recipients know it. */
export interface Mail {
	readonly number: number;
	readonly isReply: boolean;
}

/** A message with one recipient. `waits` for room, is in the queue, is tried, is to be tried `again`, or `done`. */
export interface Place {
	readonly mail: Mail;
	readonly seat: SeatModel;
	state: "waits" | "queued" | "tried" | "again" | "done";
	attempts: number;
}

/** One attempt. */
export interface Try {
	readonly place: Place;
	readonly attempt: number;
	readonly handler: HandlerPlan;
	deadline: number;
	state: "open" | "acked" | "nacked" | "given up";
	/** What it is to be tried again for. */
	again: Death | undefined;
	/** Its handler has come to its end, which nobody has noticed yet. */
	end: "returns" | "throws" | undefined;
	waitsForHand: boolean;
	/** What the log has to say of it. */
	logged: "running" | "acked" | "failed" | "interrupted";
}

/** What a seat has of the world around it. */
export interface SeatPorts {
	readonly now: () => number;
	/** Tells whoever sent it. */
	readonly done: (place: Place, fate: Fate) => void;
	readonly took: (place: Place) => void;
}

/** What one member on one bus has to do, without a thought for what it costs. */
export class SeatModel {
	readonly member: number;
	readonly bus: number;
	readonly name: string;
	readonly places: Place[] = [];
	readonly tries: Try[] = [];
	readonly counts = { acked: 0, nacked: 0, timedOut: 0, redelivered: 0, delivered: 0 };
	handler: HandlerPlan | undefined;
	current: Try | undefined;
	end: "left" | "closed" | undefined;
	/** How many took room only to be refused as the bus was closed. */
	refused = 0;
	readonly #limits: Limits & { readonly capacity: number };
	readonly #ports: SeatPorts;
	#again: { readonly place: Place; readonly dueAt: number } | undefined;

	constructor(
		{ member, bus, name, handler }: { member: number; bus: number; name: string; handler: HandlerPlan | undefined },
		limits: Limits & { readonly capacity: number },
		ports: SeatPorts,
	) {
		this.member = member;
		this.bus = bus;
		this.name = name;
		this.handler = handler;
		this.#limits = limits;
		this.#ports = ports;
	}

	get waiting(): number {
		return this.#queued.length + (this.#again === undefined ? 0 : 1);
	}

	get isIdle(): boolean {
		return this.current === undefined && this.waiting === 0;
	}

	/** What the handler has to be given by now. */
	get due(): Place | undefined {
		if (this.current !== undefined) return undefined;
		if (this.#again !== undefined) return this.#again.dueAt <= this.#ports.now() ? this.#again.place : undefined;
		return this.#queued[0];
	}

	offer(mail: Mail): Place {
		const place: Place = { mail, seat: this, state: "waits", attempts: 0 };
		this.places.push(place);
		this.#takeRoom();
		return place;
	}

	/** The handler is given a message. `undefined`: it must not be. */
	give(number: number, attempt: number): Try | undefined {
		this.catchUp();
		const place = this.due;
		const { handler } = this;
		if (place === undefined || handler === undefined || place.mail.number !== number || place.attempts + 1 !== attempt) return undefined;
		this.#again = undefined;
		place.state = "tried";
		place.attempts = attempt;
		if (attempt > 1) this.counts.redelivered += 1;
		const deadline = this.#ports.now() + this.#limit("ackTimeout") * UNIT_MS;
		const tried: Try = {
			place,
			attempt,
			handler,
			deadline,
			state: "open",
			again: undefined,
			end: undefined,
			waitsForHand: false,
			logged: "running",
		};
		this.current = tried;
		this.tries.push(tried);
		return tried;
	}

	/** Whether it counts. */
	settle(tried: Try, how: "ack" | "nack"): boolean {
		if (tried.state !== "open") return false;
		if (how === "ack") this.#ack(tried);
		else this.#refuse(tried, "nacked");
		if (tried.waitsForHand) this.#finish(tried);
		return true;
	}

	/** Brings in what has happened by itself: times that are up, ends of handlers, and what needs no handler. */
	catchUp(): void {
		this.catchUpWithTime();
		const tried = this.current;
		if (tried?.end !== undefined) this.#ended(tried, tried.end);
		for (let place = this.due; place !== undefined && this.#passes(place); place = this.due) {
			this.#again = undefined;
			if (place.mail.isReply) this.counts.acked += 1;
			this.#done(place, place.mail.isReply ? "acked" : { reason: "no_handler", attempts: place.attempts });
		}
	}

	catchUpWithTime(): void {
		const tried = this.current;
		if (tried === undefined || tried.deadline > this.#ports.now()) return;
		this.#leaveBehind(tried);
		if (tried.state === "open") {
			tried.state = "given up";
			this.counts.timedOut += 1;
			this.#fail(tried, "timed_out");
		}
		this.#tryAgain(tried);
	}

	leave(): void {
		if (this.end !== undefined) return;
		this.end = "left";
		this.#bury("left");
	}

	close(): void {
		const tried = this.current;
		this.#bury("closed");
		this.end = "closed";
		if (tried === undefined) return;
		this.#leaveBehind(tried);
		if (tried.state === "open") tried.state = "given up";
		if (tried.place.state !== "done") this.#done(tried.place, { reason: "closed", attempts: tried.attempt });
	}

	get #queued(): Place[] {
		return this.places.filter(({ state }) => state === "queued");
	}

	#limit(name: keyof Limits): number {
		return (this.handler?.limits ?? this.#limits)[name];
	}

	#passes({ mail }: Place): boolean {
		return this.handler === undefined || (this.handler.kind === "tasks" && mail.isReply);
	}

	#takeRoom(): void {
		for (const place of this.places) {
			const taken = this.places.filter(({ state }) => state !== "waits" && state !== "done").length;
			if (place.state !== "waits" || taken >= this.#limits.capacity) continue;
			place.state = "queued";
			this.counts.delivered += 1;
			this.#ports.took(place);
		}
	}

	#done(place: Place, fate: Fate): void {
		place.state = "done";
		this.#ports.done(place, fate);
		if (this.end === undefined) this.#takeRoom();
	}

	#ack(tried: Try): void {
		tried.state = "acked";
		this.counts.acked += 1;
		this.#done(tried.place, "acked");
	}

	#refuse(tried: Try, reason: "nacked" | "failed"): void {
		tried.state = "nacked";
		this.counts.nacked += 1;
		this.#fail(tried, reason);
	}

	#fail(tried: Try, reason: DeadLetterReason): void {
		const death: Death = { reason, attempts: tried.attempt };
		if (tried.attempt < this.#limit("maxAttempts")) tried.again = death;
		else this.#done(tried.place, death);
	}

	#ended(tried: Try, how: "returns" | "throws"): void {
		tried.end = undefined;
		if (tried.state === "open" && how === "throws") this.#refuse(tried, "failed");
		if (tried.state === "open" && tried.handler.ack === "manual") tried.waitsForHand = true;
		else {
			if (tried.state === "open") this.#ack(tried);
			this.#finish(tried);
		}
	}

	#finish(tried: Try): void {
		this.current = undefined;
		tried.waitsForHand = false;
		tried.logged = tried.state === "acked" ? "acked" : "failed";
		this.#tryAgain(tried);
	}

	#tryAgain({ place, again }: Try): void {
		if (again === undefined) return;
		if (this.end !== undefined) {
			this.#done(place, again);
			return;
		}
		place.state = "again";
		this.#again = { place, dueAt: this.#ports.now() + this.#limit("retryDelay") * UNIT_MS };
	}

	#leaveBehind(tried: Try): void {
		this.current = undefined;
		tried.end = undefined;
		tried.waitsForHand = false;
		tried.logged = "interrupted";
	}

	#bury(reason: "left" | "closed"): void {
		const again = this.#again;
		this.#again = undefined;
		for (const place of this.places) {
			if (place.state === "waits" && reason === "closed") this.refused += 1;
			if (place.state === "tried" || place.state === "done") continue;
			place.state = "done";
			this.#ports.done(place, { reason, attempts: place === again?.place ? place.attempts : 0 });
		}
	}
}
