/** How much of a call's output an update shows: its last characters. */
const MAX_SHOWN_OUTPUT: number = 16 * 1_024;

/** The end of a longer output, at least what an update shows of it. Cut seldom, because a cut copies. */
export function appendToEnd(end: string, delta: string): string {
	const longer = end + delta;
	return longer.length > 2 * MAX_SHOWN_OUTPUT ? shownEnd(longer) : longer;
}

/** The last characters of an output; no character outside the basic plane is cut in two. */
export function shownEnd(output: string): string {
	if (output.length <= MAX_SHOWN_OUTPUT) return output;
	const start = output.length - MAX_SHOWN_OUTPUT;
	return output.slice(isSecondHalf(output.charCodeAt(start)) ? start + 1 : start);
}

const isSecondHalf = (unit: number): boolean => unit >= 0xdc_00 && unit <= 0xdf_ff;
