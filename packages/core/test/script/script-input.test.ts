import { describe, expect, it } from "vitest";
import { parseParameters } from "../../src/script/parse-parameters.js";
import { readScriptInput } from "../../src/script/script-input.js";
import type { ScriptParameters } from "../../src/script/script-parameters.js";

function declare(...tags: readonly string[]): ScriptParameters {
	const declaration = parseParameters([tags], tags.join("\n"));
	if (declaration?.ok !== true) throw new Error(JSON.stringify(declaration));
	return declaration.parameters;
}

/** The words, or the message. */
function wordsOf(parameters: ScriptParameters, input: unknown): readonly string[] | string {
	const read = readScriptInput(parameters, input);
	return read.ok ? read.value.args : read.message;
}

const COUNT = declare(
	"@option --limit <INT 1..100>",
	"@option --ratio <NUM>",
	"@option --dry-run <BOOL>",
	"@option --level[info|warn]",
	"@option --tag*",
	"@flag --json",
	"@arg log! <FILE>",
	"@arg others*",
);

describe("readScriptInput()", () => {
	it("makes options one word each, flags bare, lists repeated, and arguments last, in the order declared", () => {
		const input = { others: ["b", "c"], log: "a", tag: ["x", "y"], json: true, level: "warn", "dry-run": false, ratio: 0.5, limit: 5 };
		const words = ["--limit=5", "--ratio=0.5", "--dry-run=false", "--level=warn", "--tag=x", "--tag=y", "--json", "--", "a", "b", "c"];
		expect(readScriptInput(COUNT, input)).toEqual({ ok: true, value: { args: words } });
		expect(wordsOf(COUNT, { log: "a" })).toEqual(["--", "a"]);
		expect(wordsOf(COUNT, { log: "a", json: false, tag: [], others: [] })).toEqual(["--", "a"]);
	});

	it.each<[string, Record<string, unknown>, readonly string[]]>([
		["numbers as text", { limit: " 5 ", ratio: "-.5e1" }, ["--limit=5", "--ratio=-5"]],
		["a whole number with a point", { limit: "5.0" }, ["--limit=5"]],
		["booleans as text", { json: "True", "dry-run": "false" }, ["--dry-run=false", "--json"]],
		["a number or a boolean as a text", { tag: [5, true] }, ["--tag=5", "--tag=true"]],
		["one value for a list", { tag: "x" }, ["--tag=x"]],
		["null and undefined for nothing", { limit: null, ratio: undefined, tag: null, json: null }, []],
		["underscores for dashes", { dry_run: true }, ["--dry-run=true"]],
		["capitals for dashes", { dryRun: true }, ["--dry-run=true"]],
		["a name with dashes before it", { "--limit": 5 }, ["--limit=5"]],
		["an empty text", { tag: "" }, ["--tag="]],
	])("takes %s", (_, input, words) => {
		expect(wordsOf(COUNT, { log: "a", ...input })).toEqual([...words, "--", "a"]);
	});

	it.each<[unknown, string]>([
		[{ log: "a", limit: 101 }, "limit must be a whole number from 1 to 100, not 101"],
		[{ log: "a", limit: 2.5 }, "limit must be a whole number from 1 to 100, not 2.5"],
		[{ log: "a", limit: "five" }, 'limit must be a whole number from 1 to 100, not "five"'],
		[{ log: "a", limit: "" }, 'limit must be a whole number from 1 to 100, not ""'],
		[{ log: "a", limit: "0x10" }, 'limit must be a whole number from 1 to 100, not "0x10"'],
		[{ log: "a", limit: 2 ** 53 }, "from 1 to 100, not 9007199254740992, which is too large to be exact"],
		[{ log: "a", limit: { valueOf: 5 } }, "from 1 to 100, not an object"],
		[{ log: "a", limit: true }, "limit must be a whole number from 1 to 100, not true"],
		[{ log: "a", limit: [5] }, "limit must be a whole number from 1 to 100, not a list"],
		[{ log: "a", ratio: Number.NaN }, "ratio must be a number, not NaN"],
		[{ log: "a", ratio: "9".repeat(400) }, "ratio must be a number, not"],
		[{ log: "a", json: 1 }, "json must be true or false, not 1"],
		[{ log: "a", json: "yes" }, 'json must be true or false, not "yes"'],
		[{ log: "a", level: "debug" }, 'level must be one of "info", "warn", not "debug"'],
		[{ log: "a", level: "Info" }, 'level must be one of "info", "warn", not "Info"'],
		[{ log: "a", tag: ["x", { a: 1 }] }, "tag must be a list, each entry a text, not an object (entry 1)"],
		[{ log: "a", tag: ["x", null] }, "not null (entry 1)"],
		[{ log: "a", tag: "a\0b" }, "tag holds a NUL character"],
		[{ log: { path: "a" } }, "log must be a text, not an object"],
		[{}, "log is missing; it must be a text"],
		[undefined, "log is missing"],
		[{ log: null }, "log is missing"],
		[{ log: "a", lim: 3 }, 'there is no parameter "lim"; near it: limit'],
		[{ log: "a", args: ["-x"] }, 'there is no parameter "args"; those there are: limit, ratio'],
		[{ log: "a", tag: "x", Tag: "y" }, 'tag is there twice, also as "Tag"'],
		[JSON.parse('{"log":"a","__proto__":{"limit":5}}'), 'there is no parameter "__proto__"'],
		[{ log: "a", constructor: "x" }, 'there is no parameter "constructor"'],
		["log", 'must be an object of named values, not "log"'],
		[["a"], "must be an object of named values, not a list"],
	])("says of %j what is wrong: %s", (input, message) => {
		expect(wordsOf(COUNT, input)).toEqual(expect.stringContaining(message));
	});

	it("says everything that is wrong at once, ten things at most", () => {
		expect(wordsOf(COUNT, { limit: 0, json: 2 })).toMatch(/^limit must be .*; json must be .*; log is missing/);
		const many = declare(...Array.from({ length: 60 }, (_, index) => `@option --o${index}!`));
		expect(String(wordsOf(many, {})).split("; ")).toHaveLength(20);
		expect(String(wordsOf(many, { x: "y".repeat(1e6), ["z".repeat(1e6)]: 1 })).length).toBeLessThan(3000);
	});

	it("says in a list that must be given what an empty one lacks", () => {
		expect(wordsOf(declare("@arg files+"), { files: [] })).toBe("files must be a list, each entry a text, not an empty list");
	});

	it("never lets a value become an option", () => {
		const hostile = ["--help", "-rf", "--", "-", "--limit=9"];
		expect(wordsOf(declare("@arg files*"), { files: hostile })).toEqual(["--", ...hostile]);
		expect(wordsOf(declare("@arg files*"), { files: ["a", "b"] })).toEqual(["a", "b"]);
		expect(wordsOf(declare("@arg n <INT>"), { n: -5 })).toEqual(["--", "-5"]);
		expect(wordsOf(declare("@option --tag*", "@arg one"), { tag: hostile, one: "x" })).toEqual([
			...hostile.map((word) => `--tag=${word}`),
			"--",
			"x",
		]);
	});

	it("puts a default where an argument before another was left out, and asks for one that has none", () => {
		const places = declare("@arg from=here", "@arg to", "@arg by");
		expect(wordsOf(places, { to: "b" })).toEqual(["here", "b"]);
		expect(wordsOf(places, {})).toEqual([]);
		expect(wordsOf(places, { by: "c" })).toBe("to must be given where by is");
	});

	it("takes nothing for a script that declares no parameter but its input", () => {
		expect(wordsOf(declare("@input options"), {})).toEqual([]);
		expect(wordsOf(declare("@input options"), { args: "x" })).toBe('there is no parameter "args"; the script takes none');
	});

	it("writes one line of JSON for a script that takes it, with nothing that was not given, and no words", () => {
		const json = declare("@input json", "@option --limit=3 <INT>", "@flag --all", "@arg from", "@arg text");
		const text = "--x\n'\"\u2028é𝒳";
		expect(readScriptInput(json, { limit: "5", text, all: false })).toEqual({
			ok: true,
			value: { args: [], stdin: `${JSON.stringify({ limit: 5, all: false, text })}\n` },
		});
		expect(readScriptInput(json, null)).toEqual({ ok: true, value: { args: [], stdin: "{}\n" } });
	});

	it("is args as ever where nothing is declared", () => {
		expect(readScriptInput(undefined, { args: "a 'b c'" })).toEqual({ ok: true, value: { args: ["a", "b c"] } });
	});
});
