import { RobotLabError, type RobotLabErrorOptions } from "./robot-lab-error.js";

/**
 * Why the bus did not do what it was asked:
 *
 * - `no_bus`: whoever sends or answers is on no bus.
 * - `unknown_recipient`: nobody on the bus has the name that a message is for.
 * - `invalid_content`: a message does not have the form that its channel takes.
 * - `already_settled`: a delivery is acked or nacked that was settled before: by hand, by its handler's end, or because its time was up.
 * - `not_delivered`: a reply is waited for that cannot come, as nobody could handle the message.
 * - `timed_out`: a reply did not come in time.
 * - `closed`: the bus is closed.
 * - `connection_lost`: the connection to the bus of another thread or machine is gone.
 */
export type BusErrorCode =
	| "no_bus"
	| "unknown_recipient"
	| "invalid_content"
	| "already_settled"
	| "not_delivered"
	| "timed_out"
	| "closed"
	| "connection_lost";

/** A message cannot be sent, settled or answered. What handlers fail with is no such error: it stands in the dead letter. */
export class BusError extends RobotLabError {
	static override readonly typeName: string = "BusError";
	declare readonly code: BusErrorCode;

	constructor(code: BusErrorCode, message: string, options: RobotLabErrorOptions = {}) {
		super(code, message, options);
	}
}
