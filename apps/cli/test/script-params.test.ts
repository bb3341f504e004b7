import type { ScriptParameter, ScriptParameters } from "@robot-lab/core";
import { expect, it } from "vitest";
import { collectParam, type Params, scriptInput } from "../src/script-params.js";

const LIMIT: ScriptParameter = { name: "limit", kind: "option", type: "integer", required: true, multiple: false };
const WORDS: ScriptParameter = { name: "words", kind: "argument", type: "string", required: false, multiple: true };

const script = (parameters?: ScriptParameters) => ({
	file: "a.sh",
	path: "/a.sh",
	tool: "a",
	description: "",
	command: [],
	...(parameters && { parameters }),
});
const params = (...texts: readonly string[]): Params =>
	texts.reduce((earlier: Params | undefined, text) => collectParam(text, earlier), undefined) ?? new Map();
const OPTIONS = script({ input: "options", parameters: [LIMIT, WORDS] });

it("values are checked and become arguments, and a name given again a list", () => {
	expect(scriptInput(OPTIONS, [], params("limit=5", "words=a=b", "words=", "words=--x"))).toEqual({
		args: ["--limit=5", "--", "a=b", "", "--x"],
	});
	expect(() => scriptInput(OPTIONS, [], params("limit=five"))).toThrow('a.sh: limit must be a whole number, not "five".');
	expect(() => scriptInput(OPTIONS, [], params("__proto__=1"))).toThrow('there is no parameter "__proto__"');
});

it("words are handed on as they are, and a script that takes JSON gets it also without a value", () => {
	expect(scriptInput(OPTIONS, ["--limit", "x"], undefined)).toEqual({ args: ["--limit", "x"] });
	expect(scriptInput(OPTIONS, [], undefined)).toEqual({ args: [] });
	expect(scriptInput(script({ input: "json", parameters: [WORDS] }), [], undefined)).toEqual({ args: [], stdin: "{}\n" });
});

it("values for a script that declares none, values beside words, and values without a name are wrong usage", () => {
	expect(() => scriptInput(script(), [], params("a=b"))).toThrow("a.sh declares no parameters");
	expect(() => scriptInput(OPTIONS, ["x"], params("limit=1"))).toThrow("either arguments or --param");
	for (const text of ["limit", "=5", ""]) expect(() => collectParam(text, undefined)).toThrow("a name and a value");
});
