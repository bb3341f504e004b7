import { onAbort } from "../process/on-abort.js";

/** Stands for what never came: the run was aborted, and the hook did not end. */
export const LEFT_BEHIND: unique symbol = Symbol("left behind");

/** As long as tools have: enough to write down how something ended. */
const ABORT_GRACE_MS = 1_000;

/** What a hook answers with, or LEFT_BEHIND a second after the signal was aborted, or after now where it already is. What it fails with later is dropped. */
export async function untilLeftBehind<T>(answer: T | PromiseLike<T>, signal: AbortSignal | undefined): Promise<T | typeof LEFT_BEHIND> {
	if (signal === undefined || !isObject(answer)) return answer;
	return new Promise((resolve, reject) => {
		let timer: NodeJS.Timeout | undefined;
		const leaveSoon = (): void => {
			timer = setTimeout(() => resolve(LEFT_BEHIND), ABORT_GRACE_MS);
		};
		const stopListening = signal.aborted ? undefined : onAbort(signal, leaveSoon);
		if (signal.aborted) leaveSoon();
		Promise.resolve(answer)
			.then(resolve, reject)
			.then(() => {
				clearTimeout(timer);
				stopListening?.();
			});
	});
}

const isObject = (value: unknown): boolean => (typeof value === "object" && value !== null) || typeof value === "function";
