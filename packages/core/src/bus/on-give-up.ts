import { onAbort } from "../process/on-abort.js";

/**
 * Calls once with the reason when the signal is aborted, not when it already is. Throws what the signal throws that is to be listened to: nothing is waited for
 * then.
 *
 * @param giveUp Must not throw.
 * @returns Stops listening, and never throws: a signal may be of anybody's making, and whoever makes room for others must not fail by it.
 */
export function onGiveUp(signal: AbortSignal, giveUp: (reason: unknown) => void): () => void {
	const stop = onAbort(signal, () => giveUp(reasonOf(signal)));
	return () => {
		try {
			stop();
		} catch {
			// it is not waited for any longer, and may say what it likes
		}
	};
}

function reasonOf(signal: AbortSignal): unknown {
	try {
		return signal.reason;
	} catch (error) {
		return error;
	}
}
