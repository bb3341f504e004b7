import { describeValue } from "../text/describe-value.js";

/** Says what is wrong with a value, as the end of "<key> must be …", or with which of its entries or parts; nothing when it is right. */
export interface Check {
	(value: unknown): string | WrongEntry | WrongPart | undefined;
	/** The check for what stands in files and variables, where that is spelt otherwise than in code. */
	readonly inFiles?: Check;
	/** What is kept of a value that is right. Default: the value itself. */
	readonly keep?: (value: unknown) => unknown;
}

/** An entry of a list that may not be in it. */
export interface WrongEntry {
	readonly entry: unknown;
	/** What may be in it, as the end of "<key> must hold only …". */
	readonly holds: string;
}

/** A part of a value that is wrong. */
export interface WrongPart {
	/** How it is found from the key on: `.files.command`. Empty for the whole. */
	readonly part: string;
	/** Goes on behind it: "must be a text". */
	readonly flaw: string;
}

/** The keys of a section, each with its check or with the keys below it. */
export interface Section {
	readonly [key: string]: Check | Section;
}

/** What is wrong with the value of the setting `name`: "<name> must be …, not …". Nothing when it is right. */
export function flawText(name: string, value: unknown, check: Check): string | undefined {
	const flaw = check(value);
	if (flaw === undefined) return undefined;
	if (typeof flaw === "string") return `${name} must be ${flaw}, not ${describeValue(value)}`;
	if ("part" in flaw) return `${name}${flaw.part} ${flaw.flaw}`;
	return `${name} must hold only ${flaw.holds}, not ${describeValue(flaw.entry)}`;
}

/** What is kept of a value that is right. */
export const keptOf = (value: unknown, { keep }: Check): unknown => (keep === undefined ? value : keep(value));
