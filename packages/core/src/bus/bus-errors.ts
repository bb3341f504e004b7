import { BusError } from "../errors/bus-error.js";
import { describeValue } from "../text/describe-value.js";
import { nearestNames } from "../text/nearest-names.js";
import type { DeliveryFailure } from "./bus-transport.js";

export function notDelivered(to: string, death: DeliveryFailure | undefined): BusError {
	const why = death?.error === undefined ? `${death?.reason}` : `${death.reason}: ${death.error.message}`;
	return new BusError(
		"not_delivered",
		`There will be no answer from ${describeValue(to)}: the message came to nothing (${why}). The dead letters of the bus hold it.`,
	);
}

export const noAnswerWithin = (to: string, timeoutMs: number): BusError =>
	new BusError(
		"timed_out",
		`No answer from ${describeValue(to)} within ${timeoutMs} ms. Give it longer (timeoutMs), or see whether it answers at all.`,
	);

export const leftBus = (name: string): BusError =>
	new BusError(
		"no_bus",
		`There will be no answer to what ${describeValue(name)} sent: it has left the bus, where answers do not reach it. Wait for them before.`,
	);

export const nobodyWithin = (name: string, timeoutMs: number): BusError =>
	new BusError(
		"timed_out",
		`Nobody of the name ${describeValue(name)} has joined the bus within ${timeoutMs} ms. Give it longer (timeoutMs), or see whether the name is right.`,
	);

/** @param names Of those who are there. */
export function unknownRecipient(to: string, names: readonly string[]): BusError {
	const near = nearestNames(to, names).map(describeValue);
	const hint = near.length > 0 ? ` Did you mean ${near.join(" or ")}?` : "";
	return new BusError(
		"unknown_recipient",
		`Cannot send to ${describeValue(to)}: nobody on the bus has that name.${hint} Join first: robot.withBus(bus) or bus.join(name).`,
	);
}
