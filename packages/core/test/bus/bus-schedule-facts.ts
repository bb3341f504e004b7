import { BusProjection } from "../../src/bus/bus-projection.js";
import type { ChannelStatistics } from "../../src/bus/bus-statistics.js";
import type { DeliveryOutcome } from "../../src/bus/bus-transport.js";
import type { BusMember, MessageBus } from "../../src/bus/message-bus.js";
import type { PublishedEvent } from "../../src/stream/stream-event.js";
import { type Manner, NAMES } from "./bus-schedule.js";
import { type BusModel, isDead, type Sent } from "./bus-schedule-model.js";
import type { Fate } from "./bus-schedule-seat.js";

/** What a bus says, and what it has to say. */
export interface Compared {
	readonly actual: unknown;
	readonly expected: unknown;
}

/** What the content of a message is. A number alone stands for one whose handlers just return. */
export type Content = number | { readonly number: number; readonly manners: readonly Manner[] };

export function numberOf({ content }: { readonly content: unknown }): number {
	const read = content as Content;
	return typeof read === "number" ? read : read.number;
}

const fateText = (fate: Fate): string => (fate === "acked" ? "acked" : `${fate.reason} ${fate.attempts}`);
export const outcomeText = (outcome: DeliveryOutcome): string => fateText(outcome.state === "acked" ? "acked" : outcome);

/** What has to be with a handler by now, and is not. */
export const owed = ({ seats }: BusModel): Compared => ({
	actual: seats.flatMap(({ due, member }) => (due === undefined ? [] : [`${due.mail.number} for member ${member}`])),
	expected: [],
});

export const letters = ({ sent, isOpen }: BusModel, told: readonly string[][]): Compared => ({
	actual: told.map((each) => each.toSorted()),
	expected: isOpen.map((_, bus) =>
		sent
			.filter((each) => each.bus === bus)
			.flatMap(({ number, deaths }) => deaths.map((death) => `${number} ${fateText(death)}`))
			.sort(),
	),
});

/** @param results How each send came out that somebody waits for. `undefined`: not yet. */
export const sends = ({ sent, isOpen }: BusModel, results: ReadonlyMap<number, string | undefined>): Compared => ({
	actual: [...results],
	expected: [...results].map(([number, actual]) => {
		const each = sent[number] as Sent;
		// whoever sends to nobody as the bus is closed hears of one or the other
		const isOvertaken = actual === "closed" && each.state === "unknown_recipient" && !isOpen[each.bus];
		return [number, isOvertaken ? actual : resultOf(each)];
	}),
});

const resultOf = ({ state, places }: Sent): string | undefined =>
	state === "waits" ? undefined : state === "taken" ? `${places.length}` : state;

export function outboxes({ sent }: BusModel, members: readonly BusMember[]): Compared {
	const isSure = (number: number): boolean => sent[number]?.isUnsure === false;
	const status = (each: Sent): string =>
		each.replies.length > 0 ? "replied" : isDead(each) ? "dead" : each.fates.includes("acked") ? "handled" : "sent";
	return {
		actual: members.map(({ outbox }) =>
			outbox
				.filter(({ message }) => isSure(numberOf(message)))
				.map(({ message, status, replies }) => `${numberOf(message)} ${status} ${replies.map(numberOf)}`)
				.sort(),
		),
		expected: members.map((_, member) =>
			sent
				.filter((each) => each.member === member && each.state === "taken" && !each.isReply && !each.isUnsure)
				.map((each) => `${each.number} ${status(each)} ${each.replies}`)
				.sort(),
		),
	};
}

/** @param settled By number, where somebody has asked. */
export function outcomes(
	{ sent }: BusModel,
	settled: ReadonlyMap<number, readonly string[] | undefined>,
	answers: ReadonlyMap<number, string>,
): Compared {
	const askers = sent.filter(({ ask, isUnsure }) => ask !== undefined && !isUnsure);
	// which of these it is when several come together is nobody's business
	const isEnd = (answer = ""): boolean => ["closed", "no_bus", "not_delivered"].includes(answer);
	const expected = ({ number, ask }: Sent): string | undefined => {
		const actual = answers.get(number);
		return ask?.isOvertaken && isEnd(ask?.state) && isEnd(actual) ? actual : ask?.state;
	};
	const isSettled = ({ state, fates, places }: Sent): boolean => state === "taken" && fates.length === places.length;
	return {
		actual: { settled: [...settled], answers: askers.map(({ number }) => [number, answers.get(number) ?? "waits"]) },
		expected: {
			settled: [...settled.keys()].map((number) => {
				const each = sent[number] as Sent;
				return [number, isSettled(each) ? each.fates.map(fateText).sort() : undefined];
			}),
			answers: askers.map((each) => [each.number, expected(each)]),
		},
	};
}

/** @param pending How many wait until a bus is idle. */
export const idleness = (model: BusModel, pending: readonly number[]): Compared => ({
	actual: pending.map((waiting) => waiting === 0),
	expected: pending.map((_, bus) => model.isIdle(bus)),
});

export function statistics(model: BusModel, buses: readonly MessageBus[]): Compared {
	const told = buses.map(({ stats }) => [...NAMES, "nobody"].map((name): ChannelStatistics => ({ ...NOTHING, ...stats[name] })));
	return {
		actual: told,
		expected: told.map((channels, bus) => channels.map((actual, place) => channelOf(model, bus, NAMES[place] ?? "nobody", actual))),
	};
}

function channelOf(model: BusModel, bus: number, name: string, actual: ChannelStatistics): ChannelStatistics {
	const sent = model.sent.filter((each) => each.bus === bus && each.to === name);
	const seats = model.seats.filter((seat) => seat.bus === bus && seat.name === name);
	const sum = (count: (seat: (typeof seats)[number]) => number): number => seats.reduce((total, seat) => total + count(seat), 0);
	const delivered = sum(({ counts }) => counts.delivered);
	// whether what is refused as a bus closes was delivered before is nobody's business
	const refused = sum((seat) => seat.refused);
	const waited = sent.filter(({ hadToWait }) => hadToWait === true).length;
	const perhapsWaited = sent.filter(({ hadToWait }) => hadToWait === undefined).length;
	return {
		published: sent.filter(({ state }) => state === "taken").length,
		throttled: within(actual.throttled, waited, waited + perhapsWaited),
		delivered: within(actual.delivered, delivered, delivered + refused),
		acked: sum(({ counts }) => counts.acked),
		nacked: sum(({ counts }) => counts.nacked),
		timedOut: sum(({ counts }) => counts.timedOut),
		redelivered: sum(({ counts }) => counts.redelivered),
		deadLettered: sent.reduce((total, { deaths }) => total + deaths.length, 0),
		waiting: sum(({ waiting }) => waiting),
		handling: sum(({ current }) => (current === undefined ? 0 : 1)),
	};
}

const within = (actual: number, least: number, most: number): number => Math.min(Math.max(actual, least), most);

const NOTHING: ChannelStatistics = {
	...{
		published: 0,
		throttled: 0,
		delivered: 0,
		acked: 0,
		nacked: 0,
		timedOut: 0,
		redelivered: 0,
		deadLettered: 0,
		waiting: 0,
		handling: 0,
	},
};

/** What the log of a closed bus tells. */
export function logged({ sent, seats }: BusModel, bus: number, events: readonly PublishedEvent[]): Compared {
	const projection = new BusProjection();
	for (const event of events) projection.observe(event);
	const triesAt = (number: number): string[] =>
		seats
			.filter((seat) => seat.bus === bus)
			.flatMap(({ tries }) => tries.filter(({ place }) => place.mail.number === number))
			.map(({ attempt, logged: state }) => `${attempt} ${state}`);
	const isTold = ({ places, deaths }: Sent): boolean => places.length > 0 || deaths.length > 0;
	return {
		actual: projection.messages
			.map((message) => ({
				...{ number: numberOf(message), recipients: message.recipients },
				deaths: message.deaths.map(fateText).sort(),
				attempts: message.attempts.map(({ attempt, state }) => `${attempt} ${state}`).sort(),
			}))
			.sort((one, other) => one.number - other.number),
		expected: sent
			.filter((each) => each.bus === bus && isTold(each))
			.map((each) => ({
				...{ number: each.number, recipients: each.state === "taken" ? each.places.length : 0 },
				deaths: each.deaths.map(fateText).sort(),
				attempts: triesAt(each.number).sort(),
			})),
	};
}
