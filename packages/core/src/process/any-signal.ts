/** Aborted as soon as one of the signals is. Those that are absent count for nothing; of none there is none. */
export function anySignal(...signals: readonly (AbortSignal | undefined)[]): AbortSignal | undefined {
	const given = signals.filter((signal) => signal !== undefined);
	return given.length <= 1 ? given[0] : AbortSignal.any(given);
}
