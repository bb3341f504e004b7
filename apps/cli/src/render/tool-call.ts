import { printableLine } from "./printable.js";

const LONGEST_ARGUMENTS = 300;
/** What a tool was called with, each argument as JSON. */
export function argumentsText(args: unknown): string {
	const isObject = typeof args === "object" && args !== null && !Array.isArray(args);
	const text = isObject
		? Object.entries(args)
				.map(([key, value]) => `${key}=${JSON.stringify(value)}`)
				.join(" ")
		: JSON.stringify(args);
	return printableLine(text ?? "", LONGEST_ARGUMENTS);
}
