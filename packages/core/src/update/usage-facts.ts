import { COUNTERS, type TokenUsage } from "../stream/token-usage.js";
import { type Facts, factsIn } from "./event-facts.js";

/** The counters that somebody reported; what is no number of 0 or more counts as not reported. */
export function countersIn(usage: Facts): Omit<TokenUsage, "extra"> {
	const counters: { -readonly [Counter in (typeof COUNTERS)[number]]?: number } = {};
	for (const counter of COUNTERS) {
		const value = usage[counter];
		if (typeof value === "number" && value >= 0 && value < Number.POSITIVE_INFINITY) counters[counter] = value;
	}
	return counters;
}

export function usageOf(facts: Facts): TokenUsage {
	const extra = factsIn(facts, "extra");
	return Object.freeze(extra === undefined ? countersIn(facts) : { ...countersIn(facts), extra });
}
