import { guardedListener } from "../errors/guarded-listener.js";
import { messageOf } from "../tool/error-text.js";

/**
 * A listener that cannot break a run: what it throws or rejects with is reported once as a process warning, and it is not called again.
 * Several listeners become one, called in order; none becomes none, so that nothing is made for nobody.
 */
export function listeners<T>(name: string, ...all: readonly (((value: T) => void) | undefined)[]): ((value: T) => void) | undefined {
	const guarded = all.flatMap((listener) => (listener === undefined ? [] : [guard(name, listener)]));
	if (guarded.length <= 1) return guarded[0];
	return (value) => {
		for (const listener of guarded) listener(value);
	};
}

function guard<T>(name: string, listener: (value: T) => void): (value: T) => void {
	let broken = false;
	const guarded = guardedListener(listener, (error) => {
		if (broken) return;
		broken = true;
		process.emitWarning(`${name} threw and is not called again in this run: ${messageOf(error)}`);
	});
	return (value) => {
		if (!broken) guarded(value);
	};
}
