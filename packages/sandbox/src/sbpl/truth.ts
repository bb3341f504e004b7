import type { QueryAttribute } from "./query.js";

/** Whether a filter matches; an attribute's name when that depends on something the question does not say. */
export type Truth = boolean | QueryAttribute;

export const not = (truth: Truth): Truth => (typeof truth === "boolean" ? !truth : truth);

/** True where one is true, false where all are false. */
export function any(truths: Iterable<Truth>): Truth {
	let result: Truth = false;
	for (const truth of truths) {
		if (truth === true) return true;
		if (truth !== false) result = truth;
	}
	return result;
}

/** True where all are true, false where one is false. */
export function all(truths: Iterable<Truth>): Truth {
	let result: Truth = true;
	for (const truth of truths) {
		if (truth === false) return false;
		if (truth !== true) result = truth;
	}
	return result;
}
