import { guardedListener } from "../errors/guarded-listener.js";
import { messageOf } from "../text/message-of.js";

/** What the process is warned of where nobody asked to be told. */
export interface FailureWarning {
	/** What failed, and what goes on, e.g. `"A listener failed, and is still told"`. */
	readonly what: string;
	readonly code: string;
}

/**
 * A function that is told what a listener or a publisher failed with, and cannot itself fail. It tells `hook`, or warns the process, once;
 * it warns too where the hook fails. What fails while the hook is being told is not told of: a hook that publishes must not go round for ever.
 */
export function failureReport(hook: ((error: unknown) => unknown) | undefined, warning: FailureWarning): (error: unknown) => void {
	const warn = warningOnce(warning);
	if (hook === undefined) return warn;
	const tell = guardedListener(hook, warn);
	let isTelling = false;
	return (error) => {
		if (isTelling) return;
		isTelling = true;
		tell(error);
		isTelling = false;
	};
}

function warningOnce({ what, code }: FailureWarning): (error: unknown) => void {
	let hasWarned = false;
	return (error) => {
		if (hasWarned) return;
		hasWarned = true;
		process.emitWarning(`${what}: ${messageOf(error)}`, { code });
	};
}
