import fc from "fast-check";
import { expect } from "vitest";
import type { BusConnection, BusTransport, ChannelSubscription, DeliveryOutcome, TransportDelivery } from "../../src/bus/bus-transport.js";
import { TransportModel } from "./transport-model.js";

/** One thing that somebody does. Numbers choose among those that are there. */
export type Step =
	| { readonly kind: "connect" }
	| { readonly kind: "subscribe"; readonly who: number; readonly channel: string; readonly capacity: number; readonly acksAtOnce: boolean }
	| { readonly kind: "publish"; readonly who: number; readonly channel: string; readonly canAbort: boolean }
	| { readonly kind: "ack" | "nack" | "unsubscribe" | "close" | "abort"; readonly which: number };

const channel = fc.constantFrom("a", "b");
const number = fc.nat(1_000);

export const steps: fc.Arbitrary<Step[]> = fc.array(
	fc.oneof<fc.MaybeWeightedArbitrary<Step>[]>(
		{ weight: 1, arbitrary: fc.record({ kind: fc.constant("connect" as const) }) },
		{
			weight: 3,
			arbitrary: fc.record({
				kind: fc.constant("subscribe" as const),
				who: number,
				channel,
				capacity: fc.integer({ min: 1, max: 3 }),
				acksAtOnce: fc.boolean(),
			}),
		},
		{ weight: 12, arbitrary: fc.record({ kind: fc.constant("publish" as const), who: number, channel, canAbort: fc.boolean() }) },
		{ weight: 10, arbitrary: fc.record({ kind: fc.constantFrom("ack" as const, "nack" as const), which: number }) },
		{ weight: 2, arbitrary: fc.record({ kind: fc.constantFrom("unsubscribe" as const, "abort" as const), which: number }) },
		{ weight: 1, arbitrary: fc.record({ kind: fc.constant("close" as const), which: number }) },
	),
	{ maxLength: 80, size: "max" },
);

interface Joined {
	readonly connection: BusConnection;
	readonly outcomes: [string, string][];
}

interface Inbox {
	readonly subscription: ChannelSubscription;
	readonly deliveries: TransportDelivery[];
}

/** Does the same to a transport and to the model of one, and compares what everybody knows. */
export class TransportSchedule {
	readonly #model = new TransportModel();
	readonly #transport: BusTransport;
	readonly #joined: Joined[] = [];
	readonly #inboxes: Inbox[] = [];
	readonly #aborting: AbortController[] = [];
	/** How each publish was answered, by its number. */
	readonly #answers = new Map<number, number | string>();

	constructor(transport: BusTransport) {
		this.#transport = transport;
		this.#connect();
		this.#connect();
	}

	/** @param arrive Resolves when everybody has what was on its way. */
	async run(schedule: readonly Step[], arrive: (open: readonly BusConnection[]) => Promise<void>): Promise<void> {
		for (const step of schedule) {
			await this.#do(step);
			await arrive(this.#open);
			this.#compare(step);
		}
		for (const { connection } of this.#joined) await connection.close();
		for (const which of this.#joined.keys()) this.#model.close(which);
		await arrive([]);
		this.#compare({ kind: "close", which: 0 });
		expect(this.#model.unanswered, "publishes without answer when all have closed").toEqual([]);
	}

	get #open(): BusConnection[] {
		return this.#joined.filter((_, who) => this.#model.isOpen(who)).map(({ connection }) => connection);
	}

	/** Resolves as soon as who closes is told nothing more. */
	async #do(step: Step): Promise<void> {
		switch (step.kind) {
			case "connect":
				this.#connect();
				break;
			case "subscribe":
				this.#subscribe(step.who % this.#joined.length, step.channel, step.capacity, step.acksAtOnce);
				break;
			case "publish":
				this.#publish(step.who % this.#joined.length, step.channel, step.canAbort);
				break;
			case "ack":
			case "nack":
				this.#settle(step.which, step.kind);
				break;
			case "unsubscribe":
				if (this.#inboxes.length === 0) return;
				this.#inboxes[step.which % this.#inboxes.length]?.subscription.unsubscribe();
				this.#model.unsubscribe(step.which % this.#inboxes.length);
				break;
			case "close":
				this.#model.close(step.which % this.#joined.length);
				await this.#joined[step.which % this.#joined.length]?.connection.close();
				break;
			case "abort":
				if (this.#aborting.length === 0) return;
				this.#aborting[step.which % this.#aborting.length]?.abort("aborted");
				this.#model.abort(step.which % this.#aborting.length);
		}
	}

	#connect(): void {
		const outcomes: [string, string][] = [];
		const connection = this.#transport.connect({
			onSettled: (id, outcome) => outcomes.push([id, stateOf(outcome)]),
			onWaiting: () => {},
			onReply: () => {},
			onLost: (reason) => expect.unreachable(reason),
		});
		this.#joined.push({ connection, outcomes });
		this.#model.connect();
	}

	#subscribe(who: number, channel: string, capacity: number, acksAtOnce: boolean): void {
		const deliveries: TransportDelivery[] = [];
		const receive = (delivery: TransportDelivery): void => {
			deliveries.push(delivery);
			if (acksAtOnce) delivery.ack();
		};
		const subscription = this.#joined[who]?.connection.subscribe(channel, { capacity, receive });
		if (subscription === undefined) return;
		this.#inboxes.push({ subscription, deliveries });
		this.#model.subscribe(who, channel, capacity, acksAtOnce);
	}

	/** Every publish has a number, which is its message's id, and a controller. */
	#publish(who: number, channel: string, canAbort: boolean): void {
		const aborting = new AbortController();
		const number = this.#aborting.push(aborting) - 1;
		const message = { id: `${number}`, from: "somebody", to: channel, content: number };
		const answer = this.#joined[who]?.connection.publish(message, canAbort ? aborting.signal : undefined);
		const keep = (how: number | string): unknown => this.#answers.set(number, how);
		Promise.resolve(answer ?? 0).then(keep, (error) => keep(error.code ?? error));
		this.#model.publish(who, channel, canAbort);
	}

	/** Also what is settled already: only the first time counts. */
	#settle(which: number, how: "ack" | "nack"): void {
		const all = this.#inboxes.flatMap(({ deliveries }, inbox) => deliveries.map((delivery, place) => ({ delivery, inbox, place })));
		const chosen = all[which % all.length];
		if (chosen === undefined) return;
		if (how === "ack") chosen.delivery.ack();
		else chosen.delivery.nack({ reason: "nacked", attempts: 1 });
		this.#model.settle(chosen.inbox, chosen.place, how === "ack" ? "acked" : "nacked");
	}

	#compare(step: Step): void {
		const what = JSON.stringify(step);
		expect(
			this.#inboxes.map(({ deliveries }) => deliveries.map(({ message }) => message.content)),
			`what was delivered after ${what}`,
		).toEqual(this.#model.delivered);
		expect(
			this.#joined.map(({ outcomes }) => outcomes.map(([id, state]) => `${id} ${state}`)),
			`what was told after ${what}`,
		).toEqual(this.#model.told);
		expect(Object.fromEntries(this.#answers), `how publishes were answered after ${what}`).toEqual(this.#model.answers);
	}
}

const stateOf = (outcome: DeliveryOutcome): string => (outcome.state === "acked" ? "acked" : outcome.reason);
