import { ConfigurationError } from "../errors/configuration-error.js";

/** Deeper than anything people write, and shallow enough for everything that walks the values later. */
const MAX_DEPTH = 64;

/**
 * A copy of a parsed value that is safe to hand out: maps become objects without a prototype, so that `__proto__` and
 * `constructor` are keys like any other; nothing in it is shared; all of it is frozen.
 */
export function toPlainValue(value: unknown, depth = 0): unknown {
	if (typeof value !== "object" || value === null) return value;
	// also what a value that contains itself runs into
	if (depth >= MAX_DEPTH) throw new ConfigurationError(`its front matter is nested more than ${MAX_DEPTH} levels deep. Flatten it.`);
	if (Array.isArray(value)) return Object.freeze(value.map((entry) => toPlainValue(entry, depth + 1)));
	if (!(value instanceof Map)) throw new ConfigurationError(`its front matter has a value that is no text, number, list or map.`);
	const plain: Record<string, unknown> = Object.create(null);
	for (const [key, entry] of value) plain[String(key)] = toPlainValue(entry, depth + 1);
	return Object.freeze(plain);
}
