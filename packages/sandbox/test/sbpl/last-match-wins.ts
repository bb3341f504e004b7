import type { ProfileQuery } from "../../src/sbpl/query.js";
import { compileRules } from "../../src/sbpl/rules.js";
import type { ProfileParams } from "../../src/sbpl/text-expressions.js";

/** What a profile would decide if, as many a comment says, the last rule that matches won, wildcards by their names. */
export function lastMatchWins(profile: string, params: ProfileParams, operation: string, query: ProfileQuery): boolean {
	const covers = (named: string): boolean =>
		named === "default" || named === operation || (named.endsWith("*") && operation.startsWith(named.slice(0, -1)));
	const matching = compileRules(profile, params).filter(
		(rule) => [...rule.operations].some(covers) && (rule.filter === undefined || rule.filter.matches(query) === true),
	);
	return matching.at(-1)?.allowed ?? false;
}
