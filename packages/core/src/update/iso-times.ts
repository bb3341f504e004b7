/** The farthest that a Date reaches, in milliseconds. */
const MAX_TIME = 8.64e15;

/**
 * Tells ISO 8601 of milliseconds since 1970; `undefined` of what is no time, or one that no calendar holds. Remembers the last: writing
 * it costs more than all else about a delta, and of those that come fast many come in the same millisecond.
 */
export function isoTimes(): (milliseconds: unknown) => string | undefined {
	let last: unknown;
	let written: string | undefined;
	return (milliseconds) => {
		if (milliseconds === last) return written;
		last = milliseconds;
		written = isTime(milliseconds) ? new Date(milliseconds).toISOString() : undefined;
		return written;
	};
}

const isTime = (value: unknown): value is number => typeof value === "number" && Math.abs(value) <= MAX_TIME;
