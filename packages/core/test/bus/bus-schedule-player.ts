import { setImmediate } from "node:timers/promises";
import { vi } from "vitest";
import type { Delivery } from "../../src/bus/delivery.js";
import { InProcessTransport } from "../../src/bus/in-process-transport.js";
import { type BusMember, MessageBus } from "../../src/bus/message-bus.js";
import type { RobotMessage } from "../../src/bus/robot-message.js";
import type { SentMessage } from "../../src/bus/sent-message.js";
import { EventLog } from "../../src/stream/event-log.js";
import type { Subscription } from "../../src/stream/subscription.js";
import { type HandlerPlan, type Manner, NAMES, type Plan, type Step, UNIT_MS } from "./bus-schedule.js";
import type { Call } from "./bus-schedule-calls.js";
import type * as facts from "./bus-schedule-facts.js";
import { JUST_RETURNS, ScheduleHandlers } from "./bus-schedule-handlers.js";
import { BusModel, type Letter, type Sent } from "./bus-schedule-model.js";
import { reachOf } from "./bus-schedule-reach.js";
import { type Fact, ScheduleWitness } from "./bus-schedule-witness.js";

/** How a schedule went, as far as the first difference. */
export interface Played {
	readonly model: BusModel;
	readonly calls: readonly Call[];
	readonly reached: ReadonlySet<string>;
	readonly differences: ReadonlyMap<Fact, facts.Compared>;
}

/** Does the same to buses and to the model of them, and compares. Needs faked timers. */
export class SchedulePlayer {
	readonly #plan: Plan;
	readonly #model: BusModel;
	readonly #buses: MessageBus[];
	readonly #logs: (EventLog | undefined)[];
	readonly #members: BusMember[];
	readonly #subscriptions: (Subscription | undefined)[] = [];
	readonly #witness: ScheduleWitness;
	readonly #handlers: ScheduleHandlers;
	readonly #aborting: [Sent, AbortController][] = [];
	readonly #keys = new Map<number, string>();
	readonly #reached = new Set<string>();

	static async play(plan: Plan): Promise<Played> {
		const player = new SchedulePlayer(plan);
		await player.#play();
		vi.clearAllTimers();
		return { model: player.#model, calls: player.#handlers.calls, reached: player.#reached, differences: player.#witness.differences };
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
		this.#handlers = new ScheduleHandlers(plan, this.#model, this.#witness, {
			reached: this.#reached,
			keys: this.#keys,
			sendMessage: (who, step) => this.#sendMessage(who, step),
			leave: (who) => this.#leave(who),
		});
		this.#members = plan.members.map(({ name, bus, handler }, who) => {
			const place = bus % this.#buses.length;
			const member = (this.#buses[place] as MessageBus).join(name);
			this.#model.sit(who, place, handler);
			if (handler !== undefined) this.#subscriptions[who] = this.#listen(who, member, handler);
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
				this.#handlers.act(step.which, step.act);
				break;
			case "end":
				this.#handlers.end(step.which, step.how);
				// nothing else must come before the answer
				return step.how === "answers" ? this.#settleDown() : undefined;
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
		const handler = (message: RobotMessage, delivery: Delivery): unknown => this.#handlers.handle(who, message, delivery);
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

	#leave(who: number): void {
		this.#model.leave(who);
		this.#members[who]?.leaveBus();
	}

	#move(who: number, bus: number): void {
		const member = this.#members[who];
		if (this.#model.seatOf(who)?.bus === bus || !this.#model.isOpen[bus]) return;
		this.#model.sit(who, bus, this.#subscriptions[who] === undefined ? undefined : this.#plan.members[who]?.handler);
		member?.withBus(this.#buses[bus]);
	}

	#setHandler(who: number, kind: "mute" | "listen"): void {
		const handler = this.#plan.members[who]?.handler;
		if (handler === undefined || handler.limits !== undefined) return;
		const isThere = this.#subscriptions[who] !== undefined;
		if (isThere !== (kind === "mute")) return;
		this.#subscriptions[who]?.unsubscribe();
		this.#subscriptions[who] = isThere ? undefined : this.#listen(who, this.#members[who] as BusMember, handler);
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
