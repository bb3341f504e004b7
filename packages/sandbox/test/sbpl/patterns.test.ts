import { createContext, Script } from "node:vm";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { evaluateProfile, ProfileError } from "../../src/sbpl/index.js";

/** Asks through `sysctl-name-regex`: a name may be any text, a path may not. */
function finder(pattern: string): (text: string) => boolean {
	const decide = evaluateProfile('(version 1)(deny default)(allow sysctl-read (sysctl-name-regex (param "PATTERN")))', {
		params: { PATTERN: pattern },
	});
	return (name) => decide("sysctl-read", { name }).allowed;
}

const refusalOf = (pattern: string): unknown => {
	try {
		finder(pattern);
	} catch (error) {
		return error;
	}
	return undefined;
};

/** The same text with a character for each of its bytes, which is how JavaScript can look at bytes. */
const byteByByte = (text: string): string => Buffer.from(text).toString("latin1");

/** Patterns that JavaScript and profiles read alike. */
const pattern = fc.letrec<{ one: string; some: string; any: string }>((tie) => ({
	one: fc.oneof(
		{ maxDepth: 2, withCrossShrink: true },
		fc.constantFrom(
			"a",
			"b",
			"/",
			"-",
			"]",
			"}",
			".",
			"\\.",
			"\\\\",
			"\\[",
			"\\+",
			"[ab]",
			"[^a]",
			"[a-c/]",
			"[^ -~]",
			"[-.]",
			"[^]b]",
			"^",
			"$",
			"é",
		),
		tie("any").map((inner) => `(${inner})`),
	),
	some: fc.tuple(tie("one"), fc.constantFrom("", "", "", "*", "+", "?")).map(([one, quantifier]) => {
		return one === "^" || one === "$" || one === "é" ? one : one + quantifier;
	}),
	any: fc
		.array(fc.array(tie("some"), { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 2 })
		.map((options) => options.map((parts) => parts.join("")).join("|")),
})).any;
const text = fc.string({
	unit: fc.constantFrom("a", "b", "c", "/", ".", "-", "]", "}", "[", "+", "\\", " ", "\n", "é", "日"),
	maxLength: 12,
});

/** Without the flag `u` JavaScript reads all of these as profiles do, but for a ] in the first place. */
const forJavaScript = (source: string): RegExp => new RegExp(byteByByte(source).replaceAll("[^]b]", "[^\\]b]"), "s");

const search = new Script("pattern.test(text)");
const asked: { pattern?: RegExp; text?: string } = {};
const context = createContext(asked);

/** What JavaScript finds among the bytes; `undefined` where it takes too long: a minute and more for one of some ten thousand. */
function foundByJavaScript(source: string, name: string): boolean | undefined {
	try {
		Object.assign(asked, { pattern: forJavaScript(source), text: byteByByte(name) });
		return search.runInContext(context, { timeout: 1000 }) as boolean;
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === "ERR_SCRIPT_EXECUTION_TIMEOUT") return undefined;
		throw error;
	}
}

describe("a regular expression of a profile", () => {
	it("finds what JavaScript's finds among the bytes of the text", () => {
		let found = 0;
		fc.assert(
			fc.property(pattern, text, (source, name) => {
				const expected = foundByJavaScript(source, name);
				fc.pre(expected !== undefined);
				if (expected) found += 1;
				expect(finder(source)(name)).toBe(expected);
			}),
			{ numRuns: 2500 },
		);
		expect(found).toBeGreaterThan(250);
		expect(found).toBeLessThan(2250);
	});

	it.each([
		["^(a+)+$", "a", "b"],
		["^(a|a)*$", "a", "b"],
		["^(a*)*b?$", "a", "c"],
		["^(.*a)*$", "a", "b"],
		["^((a?)+)+$", "a", "b"],
		["^(([a-z])+.)+[A-Z]([a-z])+$", "a", "!"],
		["(a|aa)+$", "a", "b"],
		["^a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?aaaaaaaaaaaaaaaaaaaa$", "a", "b"],
	])("%s, which is exponential elsewhere, comes to the right end", (source, many, last) => {
		expect(finder(source)(many.repeat(20_000) + last)).toBe(false);
		if (!source.includes("A-Z") && !source.startsWith("^a?")) expect(finder(source)(many.repeat(20_000))).toBe(true);
		if (source.startsWith("^a?")) expect([20, 40, 41].map((count) => finder(source)(many.repeat(count)))).toEqual([true, true, false]);
	});

	it("looks at bytes: a letter that is not ASCII is two or more", () => {
		expect(finder("^.$")("é")).toBe(false);
		expect(finder("^..$")("é")).toBe(true);
		expect(finder("^[^ -~]+$")("éß日")).toBe(true);
		expect(finder("^[^/]+$")("日本")).toBe(true);
		expect(finder("^/é/[a-z]$")("/é/x")).toBe(true);
		expect(finder("é")("e\u0301")).toBe(false);
	});

	it("takes the rules that a helper of case writes: brackets for the two cases of a letter", () => {
		const decide = evaluateProfile(
			'(version 1)(allow default)(deny file-write* (require-all (subpath "/w") (regex "^/[^/]+/\\\\.[gG][iI][tT]/[hH][oO][oO][kK][sS](/|$)")))',
		);
		const writes = (path: string): boolean => decide("file-write-create", { path }).allowed;
		expect(["/w/.git/hooks", "/w/.GIT/Hooks/pre-push", "/w/.git/hooks2", "/w/x/.git/hooks", "/v/.git/hooks"].map(writes)).toEqual([
			false,
			false,
			true,
			true,
			true,
		]);
	});

	it("takes what stands for itself in brackets: a leading ], a - at either end, a [ and a ^ further on", () => {
		expect(["]", "x"].map(finder("^[]]$"))).toEqual([true, false]);
		expect(["]", "x"].map(finder("^[^]]$"))).toEqual([false, true]);
		expect(["-", "a", "b"].map(finder("^[-a]$"))).toEqual([true, true, false]);
		expect(["-", "a", "b"].map(finder("^[a-]$"))).toEqual([true, true, false]);
		expect(["[", "^", "a"].map(finder("^[a[^]$"))).toEqual([true, true, true]);
		expect(["C", ",", "T", "D"].map(finder("^[C,T]$"))).toEqual([true, true, true, false]);
		expect(["-", ".", "/", "0"].map(finder("^[--/]$"))).toEqual([true, true, true, false]);
	});

	it("takes the quoting that macOS itself writes around special characters", () => {
		const special = "^.[$()|*+?{\\";
		expect(finder([...special].map((character) => `\\${character}`).join(""))(special)).toBe(true);
		expect(finder("^]}$")("]}")).toBe(true);
	});

	it.each([
		["(?=a)", "a (?"],
		["(?:a)", "a (?"],
		["a{2}", "a repeat count"],
		["\\d", "a backslash before"],
		["(a)\\1", "a backslash before"],
		["a\\", "a backslash before"],
		["\\é", "a backslash before"],
		["[\\.]", "a backslash or a character class"],
		["[[:alpha:]]", "a backslash or a character class"],
		["[é]", "in brackets that is not ASCII"],
		["[z-a]", "a range in brackets that is empty"],
		["[b-a]", "a range in brackets that is empty"],
		["[a-c-e]", "a - in brackets"],
		["[a", "a [ that is not closed"],
		["[]", "a [ that is not closed"],
		["[^]", "a [ that is not closed"],
		["(a", "a ( that is not closed"],
		["a)", "a ) that closes nothing"],
		["a*?", "two quantifiers in a row"],
		["a++", "two quantifiers in a row"],
		["*a", "nothing before it"],
		["(+)", "nothing before it"],
		["^*", "a quantifier after ^ or $"],
		["$?", "a quantifier after ^ or $"],
		["é+", "a quantifier after a character that is not ASCII"],
		["", "an alternative that is empty"],
		["a||b", "an alternative that is empty"],
		["(a|)", "an alternative that is empty"],
		["()", "an alternative that is empty"],
		[`${"(".repeat(65)}a${")".repeat(65)}`, "groups nested deeper than 64"],
		["a".repeat(4097), "more than 4096 bytes"],
		["é".repeat(2049), "more than 4096 bytes"],
	])("%j is refused", (source, message) => {
		expect(refusalOf(source)).toMatchObject({ code: "profile_unsupported", line: 1, message: expect.stringContaining(message) });
	});

	it("at both bounds is read, and counts only groups within groups", () => {
		expect(finder(`^${"(a)".repeat(100)}$`)("a".repeat(100))).toBe(true);
		expect(finder("a".repeat(4096))("a".repeat(4096))).toBe(true);
		expect(finder(`${"(".repeat(64)}a${")".repeat(64)}`)("bab")).toBe(true);
	});

	it("is a pattern or a ProfileError, whatever text it is given", () => {
		const unit = fc.constantFrom(..."ab/.^$|()[]{}*+?\\-:é", "[^", "(?", "[[:");
		fc.assert(
			fc.property(fc.string({ unit, maxLength: 40 }), fc.string({ maxLength: 20 }), (source, name) => {
				const error = refusalOf(source);
				if (error === undefined) expect(typeof finder(source)(name)).toBe("boolean");
				else expect(ProfileError.isInstance(error)).toBe(true);
			}),
			{ numRuns: 2000 },
		);
	});
});
