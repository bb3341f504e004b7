import { shorten } from "./shorten.js";

const MAX_SHOWN = 60;

/** `value` in a few words for a message. Runs none of the value's own code, so it cannot throw. */
export function describeValue(value: unknown): string {
	switch (typeof value) {
		case "string":
			return JSON.stringify(shorten(value, MAX_SHOWN));
		case "number":
		case "boolean":
		case "undefined":
			return String(value);
		case "bigint":
			return "a bigint";
		case "symbol":
			return "a symbol";
		case "function":
			return "a function";
		default:
			return value === null ? "null" : isList(value) ? "a list" : "an object";
	}
}

/** `Array.isArray`, for values that may be a revoked proxy, on which it throws. */
export function isList(value: unknown): value is readonly unknown[] {
	try {
		return Array.isArray(value);
	} catch {
		return false;
	}
}

/** Whether a value has names with something below each, and is no list. */
export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
	typeof value === "object" && value !== null && !isList(value);
