import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { keyPattern } from "../../src/memory/key-pattern.js";

/** The same by what the words say, without regard to time. */
function isLikeBySteps(key: readonly string[], pattern: readonly string[]): boolean {
	const [wanted, ...rest] = pattern;
	if (wanted === undefined) return key.length === 0;
	if (wanted === "*") return isLikeBySteps(key, rest) || (key.length > 0 && isLikeBySteps(key.slice(1), pattern));
	return key.length > 0 && (wanted === "?" || wanted === key[0]) && isLikeBySteps(key.slice(1), rest);
}

describe("keyPattern()", () => {
	it.each<[string, readonly string[], readonly string[]]>([
		["*", ["", "a", "a/b", ".a", "a\nb", "🤖"], []],
		["", [""], ["a"]],
		["?", ["a", "🤖", "\n", "\ud800"], ["", "ab"]],
		["notes:*", ["notes:", "notes:a/b:c"], ["notes", "my notes:a"]],
		["*:draft", [":draft", "a:draft", "a:draft:draft"], ["draft", "a:drafts"]],
		["a*b*c", ["abc", "a-b-c", "abcbc"], ["acb", "abcd"]],
		["a?c", ["abc", "a🤖c"], ["ac", "abbc"]],
		["a**", ["a", "ab"], ["b"]],
		["*?", ["a", "ab", "🤖"], [""]],
		["??", ["ab", "🤖🤖"], ["🤖", "a"]],
		["a.b", ["a.b"], ["axb"]],
		["[ab](+){2}|\\d^$", ["[ab](+){2}|\\d^$"], ["a", "b"]],
		["A", ["A"], ["a"]],
	])("%j is like %j, and not like %j", (pattern, like, unlike) => {
		const isLike = keyPattern(pattern);
		expect([like.filter((key) => !isLike(key)), unlike.filter(isLike)]).toEqual([[], []]);
	});

	it("says of any key and any pattern what the words say", () => {
		const text = (letters: readonly string[]): fc.Arbitrary<string[]> => fc.array(fc.constantFrom(...letters), { maxLength: 8 });
		fc.assert(
			fc.property(text(["a", "b", "🤖"]), text(["a", "b", "🤖", "*", "?", "*"]), (key, pattern) => {
				expect(keyPattern(pattern.join(""))(key.join(""))).toBe(isLikeBySteps(key, pattern));
			}),
			{ numRuns: 3_000 },
		);
	});

	it("says no to what keeps a regular expression busy for ever", () => {
		const isLike = keyPattern(`${"*a".repeat(400)}b`);
		expect(isLike("a".repeat(100_000))).toBe(false);
	});

	it("has at most a thousand characters, and is text", () => {
		expect(keyPattern("*".repeat(1_000))("a")).toBe(true);
		expect(() => keyPattern("*".repeat(1_001))).toThrow("at most 1000 characters, this one has 1001");
		expect(() => keyPattern(/a/ as unknown as string)).toThrow("A pattern of keys must be text");
	});
});
