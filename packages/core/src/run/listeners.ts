import { guardedListener } from "../errors/guarded-listener.js";
import { failureReport } from "../stream/failure-report.js";

/**
 * A listener that cannot break a run: what it throws or rejects with is reported once as a process warning, and changes nothing.
 * Several listeners become one, called in order; none becomes none, so that nothing is made for nobody.
 */
export function listeners<T>(name: string, ...all: readonly (((value: T) => unknown) | undefined)[]): ((value: T) => void) | undefined {
	const guarded = all.flatMap((listener) => (listener === undefined ? [] : [guardListener(name, listener)]));
	if (guarded.length <= 1) return guarded[0];
	return (value) => {
		for (const listener of guarded) listener(value);
	};
}

export const guardListener = <T>(name: string, listener: (value: T) => unknown): ((value: T) => void) =>
	guardedListener(
		listener,
		failureReport(undefined, {
			what: `A listener of ${name} failed, which changes nothing and is told once`,
			code: "ROBOT_LAB_LISTENER_FAILED",
		}),
	);
