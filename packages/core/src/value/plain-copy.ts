import { isPlainRecord } from "./is-plain-record.js";

/** A copy of lists and plain records, however deep. What else is in them stays the same: functions, instances of classes. */
export function plainCopy<T>(value: T): T {
	return copyOf(value, new Map()) as T;
}

/** @param known The copies made so far: what refers to itself does so in the copy. */
function copyOf(value: unknown, known: Map<object, object>): unknown {
	if (!Array.isArray(value) && !isPlainRecord(value)) return value;
	const made = known.get(value);
	if (made !== undefined) return made;
	const copy: object = Array.isArray(value) ? [] : {};
	known.set(value, copy);
	// defined, not set: a key may be "__proto__"
	for (const [key, entry] of Object.entries(value)) {
		Object.defineProperty(copy, key, { value: copyOf(entry, known), writable: true, enumerable: true, configurable: true });
	}
	return copy;
}
