import { ConfigurationError } from "../errors/configuration-error.js";
import { describeValue } from "../text/describe-value.js";
import { shorten } from "../text/shorten.js";
import { callFingerprint, type GuardedCall } from "./call-fingerprint.js";

/** How often the same calls come in a row before that is a loop. */
export const DEFAULT_DOOM_LOOP_THRESHOLD = 3;

/** The longest pattern of calls that is looked for. */
const MAX_PERIOD = 10;

/** As many as providers allow. */
const MAX_NAME_CHARACTERS = 64;

export interface DoomLoop {
	/** How many calls the pattern has that repeats itself. */
	readonly period: number;
	readonly repetitions: number;
}

/** What a guard says of the calls of one reply. Texts are for the model. */
export type DoomLoopVerdict = "ok" | { readonly warning: string } | { readonly stop: string };

/** The shortest pattern of 1 to `maxPeriod` calls that the list ends with `threshold` times in a row; `undefined` when there is none. */
export function findDoomLoop(
	fingerprints: readonly string[],
	{ threshold = DEFAULT_DOOM_LOOP_THRESHOLD, maxPeriod = MAX_PERIOD }: { readonly threshold?: number; readonly maxPeriod?: number } = {},
): DoomLoop | undefined {
	for (let period = 1; period <= maxPeriod && period * threshold <= fingerprints.length; period++) {
		if (endsWithRepeated(fingerprints, period, threshold)) return { period, repetitions: threshold };
	}
	return undefined;
}

function endsWithRepeated(fingerprints: readonly string[], period: number, times: number): boolean {
	const first = fingerprints.length - period * (times - 1);
	for (let at = fingerprints.length - 1; at >= first; at--) {
		if (fingerprints[at] !== fingerprints[at - period]) return false;
	}
	return true;
}

/**
 * Watches the calls of one run for those that come again and again with the same arguments: the first time it warns, the second time it
 * says stop. The calls of one reply were all asked for before any of them had a result, so equal ones among them count once.
 */
export class DoomLoopGuard {
	readonly #threshold: number;
	#names: string[] = [];
	#fingerprints: string[] = [];
	#hasWarned = false;

	/** @param threshold A whole number, 2 or more, or Infinity, with which nothing is a loop. ConfigurationError for anything else. */
	constructor(threshold: number = DEFAULT_DOOM_LOOP_THRESHOLD) {
		checkDoomLoopThreshold(threshold);
		this.#threshold = threshold;
	}

	/** Takes note of the calls of one reply, before they are made. */
	note(calls: readonly GuardedCall[]): DoomLoopVerdict {
		if (this.#threshold === Number.POSITIVE_INFINITY) return "ok";
		const loop = this.#add(calls);
		if (loop === undefined) return "ok";
		const repeated = sentenceOf(this.#names.slice(-loop.period), loop.repetitions);
		this.#names = [];
		this.#fingerprints = [];
		if (this.#hasWarned) return { stop: `${repeated}, and this run had been warned of that before` };
		this.#hasWarned = true;
		return { warning: `Warning: ${repeated}. ${ADVICE}` };
	}

	/** The first loop that one of the calls completes. */
	#add(calls: readonly GuardedCall[]): DoomLoop | undefined {
		const named = new Map(calls.map((call) => [callFingerprint(call), call.name]));
		for (const [fingerprint, name] of named) {
			this.#fingerprints.push(fingerprint);
			this.#names.push(name);
			const loop = findDoomLoop(this.#fingerprints, { threshold: this.#threshold });
			if (loop !== undefined) return loop;
		}
		this.#forgetOld();
		return undefined;
	}

	/** What is too old to be part of any loop. Seldom, for it copies the rest. */
	#forgetOld(): void {
		const needed = this.#threshold * MAX_PERIOD;
		if (this.#fingerprints.length <= needed * 2) return;
		this.#fingerprints = this.#fingerprints.slice(-needed);
		this.#names = this.#names.slice(-needed);
	}
}

/** Throws ConfigurationError for what is no whole number from 2 on and not Infinity. */
export function checkDoomLoopThreshold(threshold: unknown): void {
	if (threshold === Number.POSITIVE_INFINITY || (Number.isSafeInteger(threshold) && (threshold as number) >= 2)) return;
	throw new ConfigurationError(
		`doomLoopThreshold must be a whole number, 2 or more, or Infinity to look for no loops, got ${describeValue(threshold)}.`,
	);
}

const ADVICE =
	"The same calls give the same results again. Use the results there are, make other calls, or say what keeps you from going on. If calls are repeated like this once more, the run ends.";

function sentenceOf(names: readonly string[], times: number): string {
	const shown = names.map((name) => JSON.stringify(shorten(name, MAX_NAME_CHARACTERS)));
	const what = names.length === 1 ? `the call of ${shown[0]}` : `the same ${names.length} calls (${shown.join(", ")})`;
	return `${what} came ${times} times in a row with the same arguments`;
}
