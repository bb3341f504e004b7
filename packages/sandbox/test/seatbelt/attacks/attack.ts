import { expect, it } from "vitest";
import { evaluateProfile } from "../../../src/sbpl/index.js";
import { type Check, CLOSED } from "../checks/check.js";

export interface Attack {
	readonly profile: string;
	/** What is tried and must fail, each by the rule it names; what is not denied must work. */
	readonly checks: readonly Check[];
	/** The same profile without what stops the attack. Default: without the rule that decides. */
	readonly control?: string;
}

/** A test for each thing that is tried: it works in the control, and fails in the profile for the reason it should. */
export function itStops({ profile, checks, control }: Attack): void {
	const decide = evaluateProfile(profile);
	it.each(checks.map((check): [string, Check] => [check.what, check]))("%s", (_, { operation, query, allowed, by = "" }) => {
		const decision = decide(operation, query);
		expect(decision.allowed).toBe(allowed);
		if (allowed) return;
		expect(decision.rule.slice(0, by.length)).toBe(by);
		expect(by).not.toBe("");
		const open = control ?? without(profile, decision.rule);
		expect(open).not.toBe(profile);
		expect(evaluateProfile(open)(operation, query).allowed).toBe(true);
	});
}

function without(profile: string, rule: string): string {
	if (rule === CLOSED) return profile.replace(rule, "(allow default)");
	const builtIn = /^built-in: (\S+) is denied/.exec(rule)?.[1];
	return builtIn === undefined ? profile.replace(rule, "") : `${profile}(allow ${builtIn})\n`;
}
