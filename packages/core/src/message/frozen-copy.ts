/** Deeper than any message is by itself. What a model nests deeper in its arguments is handed on as it is. */
const MAX_DEPTH = 100;

/** A copy of plain data that nobody can change any more, however deep. What is no list or plain object stays what it is. */
export function frozenCopy<T>(value: T, depth = 0): T {
	if (typeof value !== "object" || value === null || depth > MAX_DEPTH) return value;
	if (Array.isArray(value)) return Object.freeze(value.map((entry) => frozenCopy(entry, depth + 1))) as T;
	const prototype: unknown = Object.getPrototypeOf(value);
	if (prototype !== Object.prototype && prototype !== null) return value;
	const copy = Object.create(prototype);
	for (const [key, entry] of Object.entries(value)) {
		Object.defineProperty(copy, key, { value: frozenCopy(entry, depth + 1), enumerable: true });
	}
	return Object.freeze(copy);
}
