import { BusError } from "../errors/bus-error.js";
import { WITHDRAWN } from "./bus-protocol.js";

/** What is refused with this was given up here. */
export const GIVEN_UP: unique symbol = Symbol("given up");

/** Why the other side refused something. */
export const errorOf = (code: string, message: string): unknown =>
	code === WITHDRAWN ? GIVEN_UP : new BusError(code === "closed" ? code : "connection_lost", message);

export const lostError = (action: string, reason?: string): BusError =>
	new BusError(
		"connection_lost",
		`Cannot ${action}: the connection to the bus is lost${reason === undefined ? "" : ` (${reason})`}. Join the bus anew.`,
	);
