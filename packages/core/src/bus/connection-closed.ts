import { BusError } from "../errors/bus-error.js";

/** Why a connection does nothing more that was closed. */
export const connectionClosed = (action: string): BusError =>
	new BusError("closed", `Cannot ${action}: this connection to the bus is closed. Join the bus anew.`);

/** The rejection of what is asked of such a connection. It is no unhandled one where nobody heeds it. */
export function rejectClosed(action: string): Promise<never> {
	const rejected = Promise.reject(connectionClosed(action));
	rejected.catch(() => {});
	return rejected;
}
