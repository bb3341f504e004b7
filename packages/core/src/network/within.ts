import { RobotLabError } from "../errors/robot-lab-error.js";
import { onAbort } from "../process/on-abort.js";
import { ABORTED } from "../robot/abort.js";

/** How long what was stopped is waited for: it tells the log how it ended and what it cost. */
const GRACE_MS = 100;

export interface Bounds {
	/** The task, for the error. */
	readonly task: string;
	readonly timeoutMs: number | undefined;
	/** Ends the run of the whole network. */
	readonly stop: AbortSignal;
}

/**
 * Does a piece of a task's work until it is done, its time is up or the network's run ends, whether or not it heeds the signal it is given: what
 * goes on after its end is left behind, and nobody is told what becomes of it. ABORTED where it was stopped, or answered so itself. Rejects with
 * what the work fails with, and with a RobotLabError (`code` `"task_timeout"`) when its time is up.
 */
export async function within<T>(
	{ task, timeoutMs, stop }: Bounds,
	work: (signal: AbortSignal) => T | PromiseLike<T>,
): Promise<T | typeof ABORTED> {
	if (timeoutMs === undefined) return unlessLeftBehind(attempted(work, stop), stop);
	const deadline = new AbortController();
	const timer = setTimeout(() => deadline.abort(new DOMException(`The time of the task "${task}" is up.`, "TimeoutError")), timeoutMs);
	const signal = AbortSignal.any([stop, deadline.signal]);
	const isLate = (): boolean => deadline.signal.aborted && !stop.aborted;
	const late = new RobotLabError(
		"task_timeout",
		`The task "${task}" did not come to an end within ${timeoutMs} ms and was stopped. Give it longer: timeoutMs.`,
	);
	try {
		const answer = await unlessLeftBehind(attempted(work, signal), signal);
		if (answer === ABORTED && isLate()) throw late;
		return answer;
	} catch (error) {
		// what it failed with as it was stopped says nothing
		throw isLate() ? late : error;
	} finally {
		clearTimeout(timer);
	}
}

async function attempted<T>(work: (signal: AbortSignal) => T | PromiseLike<T>, signal: AbortSignal): Promise<T> {
	return work(signal);
}

function unlessLeftBehind<T>(promise: Promise<T>, signal: AbortSignal): Promise<T | typeof ABORTED> {
	return new Promise((resolve, reject) => {
		let timer: NodeJS.Timeout | undefined;
		const leaveBehind = (): void => {
			timer = setTimeout(resolve, GRACE_MS, ABORTED);
		};
		const stopListening = onAbort(signal, leaveBehind);
		if (signal.aborted) leaveBehind();
		promise.then(resolve, reject).then(() => {
			stopListening();
			clearTimeout(timer);
		});
	});
}
