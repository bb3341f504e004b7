/** Deeper than any message is by itself. What a model nests deeper in its arguments is handed on as it is. */
const MAX_DEPTH = 100;

/**
 * A copy of plain data that nobody can change any more, however deep. What is no list or plain object stays what it is. What is
 * referred to twice is copied once, so that a value that holds itself, or itself many times over, ends.
 */
export function frozenCopy<T>(value: T): T {
	return isObject(value) ? (copyOf(value, 0, new Map()) as T) : value;
}

/** Whether a value has parts that could be changed. */
export const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

function copyOf(value: object, depth: number, copies: Map<object, object>): object {
	const known = copies.get(value);
	if (known !== undefined) return known;
	if (depth > MAX_DEPTH) return value;
	if (Array.isArray(value)) return copyList(value, depth, copies);
	const prototype: unknown = Object.getPrototypeOf(value);
	return prototype === Object.prototype || prototype === null ? copyRecord(value, prototype, depth, copies) : value;
}

function copyList(list: readonly unknown[], depth: number, copies: Map<object, object>): object {
	const copy: unknown[] = [];
	copies.set(list, copy);
	for (const entry of list) copy.push(isObject(entry) ? copyOf(entry, depth + 1, copies) : entry);
	return Object.freeze(copy);
}

function copyRecord(record: object, prototype: object | null, depth: number, copies: Map<object, object>): object {
	const copy = Object.create(prototype);
	copies.set(record, copy);
	for (const [key, entry] of Object.entries(record)) {
		const value = isObject(entry) ? copyOf(entry, depth + 1, copies) : entry;
		Object.defineProperty(copy, key, { value, enumerable: true });
	}
	return Object.freeze(copy);
}
