import type { ResourceLimits } from "../config/config.js";
import { MAX_TIMEOUT_SECONDS } from "../config/value-checks.js";
import { describeValue, isList } from "../text/describe-value.js";
import { frontMatterValue, spellingProblems } from "./front-matter-value.js";

/** A normalised value, and what was wrong with the one it was made from. Problems name the field as SKILL.md spells it. */
export interface Normalised<T> {
	readonly value: T;
	readonly problems: readonly string[];
}

export const DEFAULT_TIMEOUT = 60;
export const TRUST_LEVELS: readonly ["core", "external"] = Object.freeze(["core", "external"] as const);

/** More paths than any bundle asks for: a bound on what one front matter can make us resolve. */
const MAX_PATHS = 1000;
const GRANTING_WORDS: ReadonlySet<unknown> = new Set(["true", "yes", "on", "1"]);
const REFUSING_WORDS: ReadonlySet<unknown> = new Set(["false", "no", "off", "0"]);
const LIMITS = ["memoryMb", "processes", "fileSizeMb", "cpuSeconds", "outputBytes"] as const satisfies readonly (keyof ResourceLimits)[];

const fine = <T>(value: T): Normalised<T> => ({ value, problems: [] });

/** One text or a list of texts; anything else, alone or in the list, is dropped, never turned into text. */
export function normalisePaths(field: string, value: unknown): Normalised<readonly string[]> {
	if (value === undefined || value === null) return fine([]);
	if (typeof value === "string") return normaliseEntries(field, [value]);
	if (isList(value)) return normaliseEntries(field, value);
	return { value: [], problems: [`${field}: ${describeValue(value)} is no path or list of paths; none is used`] };
}

function normaliseEntries(field: string, list: readonly unknown[]): Normalised<readonly string[]> {
	const kept: string[] = [];
	const problems: string[] = [];
	const count = Math.min(Number(list.length), MAX_PATHS);
	for (let index = 0; index < count; index++) {
		const entry = list[index];
		if (typeof entry === "string" && entry !== "") kept.push(entry);
		else problems.push(`${field}: entry ${index + 1} is ${describeValue(entry)}, not a path; dropped`);
	}
	if (list.length > MAX_PATHS) problems.push(`${field}: only the first ${MAX_PATHS} of ${list.length} paths are used`);
	return { value: kept, problems };
}

/** True for `true`, `1` and the words true, yes, on, 1 in any case; false for everything else. Blanks are not trimmed. */
export function normaliseNetwork(value: unknown): Normalised<boolean> {
	const word = typeof value === "string" ? value.toLowerCase() : value;
	if (word === true || word === 1 || GRANTING_WORDS.has(word)) return fine(true);
	if (word === undefined || word === null || word === false || word === 0 || REFUSING_WORDS.has(word)) return fine(false);
	return { value: false, problems: [`network: ${describeValue(value)} is not true or false; false is used`] };
}

const WITH_UNIT = /^(\d{1,9}(?:\.\d{1,9})?) ?([a-z]{1,20})$/i;
const MILLISECONDS = /^m(?:s|sec|illi)/i;

/**
 * Whole seconds, fractions dropped. Anything that is not at least one second becomes the default; where a unit follows the number, the seconds before it, or
 * one if these are less, and never more than the default: `20s` and `500ms` are not meant to be 60.
 */
export function normaliseTimeout(value: unknown): Normalised<number> {
	if (value === undefined || value === null) return fine(DEFAULT_TIMEOUT);
	const seconds = wholeNumber(value);
	if (seconds === undefined || seconds < 1) {
		const used = Math.min(secondsBeforeUnit(value) ?? DEFAULT_TIMEOUT, DEFAULT_TIMEOUT);
		const problem = `timeout: ${describeValue(value)} is not a number of seconds, 1 or more, such as 20; ${used} is used`;
		return { value: used, problems: [problem] };
	}
	if (seconds <= MAX_TIMEOUT_SECONDS) return fine(seconds);
	return {
		value: MAX_TIMEOUT_SECONDS,
		problems: [`timeout: ${describeValue(value)} is more than a timer carries; ${MAX_TIMEOUT_SECONDS} is used`],
	};
}

/** At least one. */
function secondsBeforeUnit(value: unknown): number | undefined {
	const [, number, unit = ""] = (typeof value === "string" && WITH_UNIT.exec(value)) || [];
	if (number === undefined) return undefined;
	return Math.max(1, Math.trunc(Number(number) / (MILLISECONDS.test(unit) ? 1000 : 1)));
}

/** `core` or `external` to the letter; anything else is `external`. */
export function normaliseTrust(value: unknown): Normalised<"core" | "external"> {
	if (value === "core" || value === "external") return fine(value);
	if (value === undefined || value === null) return fine("external");
	return { value: "external", problems: [`trust: ${describeValue(value)} is neither core nor external; external is used`] };
}

/** The limits that are whole numbers of at least one. */
export function normaliseLimits(value: unknown): Normalised<ResourceLimits> {
	if (value === undefined || value === null) return fine({});
	if (typeof value !== "object" || isList(value)) {
		return { value: {}, problems: [`limits: ${describeValue(value)} is no set of limits; none is used`] };
	}
	const limits: { -readonly [Key in keyof ResourceLimits]: number } = {};
	const problems: string[] = [];
	for (const key of LIMITS) {
		const given = frontMatterValue(value, key, undefined);
		problems.push(...spellingProblems(value, key).map((problem) => `limits.${problem}`));
		const limit = wholeNumber(given);
		if (limit !== undefined && limit >= 1) limits[key] = Math.min(limit, Number.MAX_SAFE_INTEGER);
		else if (given !== undefined && given !== null)
			problems.push(`limits.${key}: ${describeValue(given)} is not a number of 1 or more; no such limit is used`);
	}
	return { value: limits, problems };
}

function wholeNumber(value: unknown): number | undefined {
	if (typeof value === "number" && Number.isFinite(value)) return Math.trunc(value);
	if (typeof value === "string" && /^\d+(\.\d*)?$/.test(value)) return Math.trunc(Number(value));
	return undefined;
}
