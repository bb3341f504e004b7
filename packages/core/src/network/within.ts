import { RobotLabError } from "../errors/robot-lab-error.js";
import { onAbort } from "../process/on-abort.js";
import { ABORTED } from "../process/unless-aborted.js";
import { errorOf } from "./error-of.js";

/** How long what was stopped is waited for: it tells the log how it ended and what it cost. */
const GRACE_MS = 100;

export interface Bounds {
	/** The task, for errors. */
	readonly task: string;
	readonly timeoutMs: number | undefined;
	/** Ends the run of the whole network. */
	readonly stop: AbortSignal;
}

/**
 * Does a piece of a task's work until it is done, its time is up or the network's run ends, whether or not it heeds the signal it is given: what
 * goes on after its end is left behind, and nobody is told what becomes of it. Rejects with what the work fails with as an Error, with a RobotLabError
 * when its time is up (`code` `"task_timeout"`), also where it answers then, or it answers ABORTED (`"task_aborted"`), and with any Error when the network's run ends.
 *
 * @param work Must not throw, but reject.
 */
export function within<T>({ task, timeoutMs, stop }: Bounds, work: (signal: AbortSignal) => Promise<T | typeof ABORTED>): Promise<T> {
	if (timeoutMs === undefined) return unlessLeftBehind(task, work(stop), stop);
	const deadline = new AbortController();
	const timer = setTimeout(() => deadline.abort(new DOMException(`The time of the task "${task}" is up.`, "TimeoutError")), timeoutMs);
	const signal = AbortSignal.any([stop, deadline.signal]);
	return unlessLeftBehind(task, work(signal), signal).finally(() => {
		clearTimeout(timer);
		// what it answers, or fails with, as it is stopped comes too late: a deadline holds whether or not the work heeds it
		if (deadline.signal.aborted) throw late(task, timeoutMs);
	});
}

function unlessLeftBehind<T>(task: string, promise: Promise<T | typeof ABORTED>, signal: AbortSignal): Promise<T> {
	return new Promise((resolve, reject) => {
		let timer: NodeJS.Timeout | undefined;
		const leaveBehind = (): void => {
			timer = setTimeout(() => reject(aborted(task)), GRACE_MS);
		};
		const stopListening = onAbort(signal, leaveBehind);
		if (signal.aborted) leaveBehind();
		promise.then(
			(answer) => {
				stopListening();
				clearTimeout(timer);
				if (answer === ABORTED) reject(aborted(task));
				else resolve(answer);
			},
			(error) => {
				stopListening();
				clearTimeout(timer);
				reject(errorOf(error));
			},
		);
	});
}

const late = (task: string, timeoutMs: number): RobotLabError =>
	new RobotLabError(
		"task_timeout",
		`The task "${task}" did not come to an end within ${timeoutMs} ms and was stopped. Give it longer: timeoutMs.`,
	);

/** What a task fails with that was aborted though nobody stopped it. */
export const aborted = (task: string): RobotLabError =>
	new RobotLabError("task_aborted", `The task "${task}" was aborted, and not by its network: its robot has a signal of its own.`);
