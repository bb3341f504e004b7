import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { evaluateProfile, type ProfileQuery } from "../../src/sbpl/index.js";
import { compileRules } from "../../src/sbpl/rules.js";
import { lastMatchWins } from "./last-match-wins.js";
import { PUBLISHED } from "./published-decisions.js";

const FIXTURES = new URL("../fixtures/published/", import.meta.url);

const textOf = (name: string): string => readFileSync(new URL(`${name}.sb`, FIXTURES), "utf8");
const queryOf = (about: string | ProfileQuery): ProfileQuery => (typeof about === "string" ? { path: about } : about);

describe.each(Object.entries(PUBLISHED))("the profile of %s", (name, { params = {}, decisions, ...published }) => {
	const profile = textOf(name);
	const decide = evaluateProfile(profile, { params });
	const rules = compileRules(profile, params).map((rule) => rule.text);

	const rows = decisions.map(
		([operation, about, allowed, part, source = "follows"]) => [operation, queryOf(about), allowed, part, source] as const,
	);
	it.each(rows)("%s of %o is allowed: %s, by %s (%s)", (operation, query, allowed, part) => {
		const decision = decide(operation, query);
		expect(decision).toEqual({ allowed, rule: expect.stringContaining(part) });
		if (!part.startsWith("built-in")) expect(rules.filter((rule) => rule.includes(part))).toEqual([decision.rule]);
	});

	it("has both answers", () => {
		expect(new Set(decisions.map(([, , allowed]) => allowed)).size).toBe(2);
	});

	it("would be misjudged by an evaluator for which the last match wins, as often as said", () => {
		const wrong = decisions.filter(([operation, about, allowed]) => lastMatchWins(profile, params, operation, queryOf(about)) !== allowed);
		expect(wrong.length, JSON.stringify(wrong)).toBe(published.wrongIfLastMatchWon);
	});
});

describe("the published profiles", () => {
	it("are all in the table", () => {
		const files = readdirSync(FIXTURES).map((file) => file.replace(/\.sb$/, ""));
		expect(files.toSorted()).toEqual(Object.keys(PUBLISHED).toSorted());
		expect(files.length).toBeGreaterThanOrEqual(10);
	});

	it("bite: dozens of decisions that the last match would get wrong are among them", () => {
		const all = Object.values(PUBLISHED);
		expect(all.flatMap(({ decisions }) => decisions).length).toBeGreaterThanOrEqual(150);
		expect(all.flatMap(({ decisions }) => decisions).filter(([, , , , source]) => source === "measured").length).toBeGreaterThanOrEqual(40);
		expect(all.reduce((sum, { wrongIfLastMatchWon }) => sum + wrongIfLastMatchWon, 0)).toBe(25);
	});
});
