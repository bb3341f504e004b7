import { UNIT_MS } from "./bus-schedule.js";

/** One call of a handler, as it was seen, without a look at the model. */
export interface Call {
	readonly seat: number;
	readonly sender: number;
	readonly number: number;
	readonly attempt: number;
	/** How many attempts there may be. */
	readonly most: number;
	readonly at: number;
	/** When its time is up. */
	deadline: number;
	wasRefused: boolean;
	/** Nobody waits for it any longer. */
	isOver: boolean;
	/** How many others of the seat nobody had done with when it began. */
	readonly besides: number;
}

export function noteCall(
	calls: Call[],
	{ seat, sender, number, attempt }: Pick<Call, "seat" | "sender" | "number" | "attempt">,
	{ maxAttempts, ackTimeout }: { readonly maxAttempts: number; readonly ackTimeout: number },
): Call {
	const at = performance.now();
	const besides = calls.filter((each) => each.seat === seat && !each.isOver && each.deadline > at).length;
	const call: Call = {
		...{ seat, sender, number, attempt, most: maxAttempts, at, besides },
		...{ deadline: at + ackTimeout * UNIT_MS, wasRefused: false, isOver: false },
	};
	calls.push(call);
	return call;
}
