import { untilAborted } from "../process/until-aborted.js";

/** When each place is free again. Of the module, because robots that know nothing of each other ask on one standard input. */
const freeAgain = new WeakMap<object, Promise<void>>();

/** Does the work once everything that was to be done at `place` before is over; at once, while that goes on, when the signal is aborted. */
export async function inTurn<Result>(place: object, signal: AbortSignal | undefined, work: () => Promise<Result>): Promise<Result> {
	const before = freeAgain.get(place) ?? Promise.resolve();
	let leave = (): void => {};
	const left = new Promise<void>((resolve) => {
		leave = resolve;
	});
	freeAgain.set(
		place,
		before.then(() => left),
	);
	try {
		await untilAborted(before, signal).catch(() => {});
		return await work();
	} finally {
		leave();
	}
}
