import { describe, expect, it } from "vitest";
import { ConfigurationError } from "../../src/errors/configuration-error.js";
import { fill } from "./compile.js";

class Secretive {
	#secret = "key";
	shown = 1;
	get secret() {
		return this.#secret;
	}
}

describe("what is filled in", () => {
	it("stays what it is: braces in a value are not looked at, nothing is escaped", () => {
		const context = { a: "{{b}} {{{b}}} {{#b}}x{{/b}} <&'\">", b: "no" };
		const filled = fill("{{a}}|{{{a}}}|{{&a}}|{{#list}}{{.}}{{/list}}", { ...context, list: [context.a] });
		expect(filled).toBe(`${context.a}|${context.a}|${context.a}|${context.a}`);
	});

	it.each([
		["text", "a", "a"],
		["an empty text", "", ""],
		["a number", 1.5, "1.5"],
		["0", 0, "0"],
		["false", false, "false"],
		["a bigint", 10n ** 20n, "100000000000000000000"],
		["NaN", Number.NaN, "NaN"],
		["null", null, ""],
		["undefined", undefined, ""],
		["a list", ["a", 1], '["a",1]'],
		["a record", { b: { c: "{{a}}" } }, '{"b":{"c":"{{a}}"}}'],
		["a date", new Date(0), "1970-01-01T00:00:00.000Z"],
		["a map", new Map([["k", 1]]), '[["k",1]]'],
		["an error", new TypeError("no"), '{"name":"TypeError","message":"no"}'],
		["an instance of a class, what it shows", new Secretive(), '{"shown":1}'],
		["what writes itself", { toJSON: () => "written" }, "written"],
		["a function in a record, which is none of it", { go: () => "called", a: 1 }, '{"a":1}'],
	])("%s", (_, value, text) => {
		expect(fill("{{a}}", { a: value })).toBe(text);
	});

	it("what refers to itself ends", () => {
		const loop: Record<string, unknown> = { name: "loop" };
		loop.self = loop;
		expect(fill("{{a}}", { a: loop })).toBe('{"name":"loop","self":"[refers to itself]"}');
	});

	it.each([() => "called", Symbol("s")])("no function and no symbol: %s", (value) => {
		expect(() => fill("{{a}}", { a: value })).toThrow(/^context\.a is a (function|symbol); a template takes text/);
	});

	it.each([[null], ["text"], [["a"]], [1]])("no context of %j", (context) => {
		expect(() => fill("x", context as never)).toThrow("context must be an object with values for a template");
	});
});

describe("what is inherited", () => {
	it.each([
		"constructor",
		"__proto__",
		"toString",
		"hasOwnProperty",
		"a.constructor",
		"a.__proto__",
		"a.toString",
		"list.map",
		"list.constructor",
		"text.constructor",
		"text.length",
		"a.b.constructor.name",
	])("is not there: {{%s}}", (name) => {
		const context = { a: { b: {} }, list: [1], text: "abc" };
		expect(fill(`[{{${name}}}]{{#${name}}}in{{/${name}}}{{^${name}}}out{{/${name}}}`, context)).toBe("[]out");
	});

	it("is there where it was given: JSON may have such names", () => {
		const context = JSON.parse('{"__proto__": "own", "constructor": {"__proto__": {"x": "deep"}}}');
		expect(fill("{{__proto__}} {{constructor.__proto__.x}} {{x}}", context)).toBe("own deep ");
		expect(Object.prototype).not.toHaveProperty("x");
	});

	it("of a getter that is the caller's own, what it answers, asked once", () => {
		let asked = 0;
		const context = {
			get a() {
				asked += 1;
				return asked;
			},
		};
		expect(fill("{{a}}{{a}}{{#a}}{{a}}{{/a}}", context)).toBe("111");
	});
});

describe("sections", () => {
	const people = {
		people: [
			{ name: "Ada", tags: ["x", "y"] },
			{ name: "Bob", tags: [] },
		],
		name: "nobody",
		urgent: true,
		calm: false,
		zero: 0,
		none: [],
	};

	it("are there for each of a list, and look at what is around where they find nothing", () => {
		expect(fill("{{#people}}{{name}}:{{#tags}}{{.}}{{name}} {{/tags}}{{^tags}}-{{/tags}};{{/people}}", people)).toBe(
			"Ada:xAda yAda ;Bob:-;",
		);
		expect(fill("{{people.1.name}}", people)).toBe("Bob");
	});

	it("take nothing, false, 0, an empty text and an empty list for no", () => {
		for (const no of ["calm", "zero", "none", "unknown"]) expect(fill(`{{#${no}}}y{{/${no}}}{{^${no}}}n{{/${no}}}`, people)).toBe("n");
		expect(fill("{{#urgent}}y{{/urgent}}{{^urgent}}n{{/urgent}}", people)).toBe("y");
	});

	it("leave no blank line where they stand alone", () => {
		expect(fill("a\n{{#urgent}}\nb\n{{/urgent}}\n{{! a note }}\nc", people)).toBe("a\nb\nc");
	});

	it("find what is nearest, even where it is nothing", () => {
		expect(fill("{{#inner}}[{{name}}]{{/inner}}", { inner: { name: null }, name: "outer" })).toBe("[]");
	});
});

describe("what is no variable", () => {
	it.each([
		["one\n{{two", "line 2 has a {{ that no }} closes. Close it. To have braces"],
		[`a {{${" ".repeat(600)}}}`, "line 1 has a {{ that no }} closes within 500 characters"],
		["\n\n{{> partial}}", "line 3 asks for another template by {{>"],
		["{{   >   partial}}", "line 1 asks for another template"],
		["{{=<% %>=}}", "line 1 gives variables other marks"],
		["{{{a}} }", "line 1 has a {{{ that no }}} closes"],
		['like {{"a": 1}}', 'line 1 has "\\"a\\": 1" between {{ and }}, which is no variable\'s name'],
		["{{a b}}", "no variable's name"],
		["{{}}", 'line 1 has "" between'],
		["{{a..b}}", "no variable's name"],
		["{{.a}}", "no variable's name"],
		["x\n{{#a}}\ny", 'line 3 is wrong: Unclosed section "a"'],
		["{{/a}}", 'line 1 is wrong: Unopened section "a"'],
		["{{#a}}\n{{#b}}{{/a}}{{/b}}", 'line 2 is wrong: Unclosed section "b"'],
		["{{#a}}".repeat(40) + "{{/a}}".repeat(40), "line 1 is in more than 32 sections"],
	])("%j is refused", (text, message) => {
		const error = (() => {
			try {
				return fill(text);
			} catch (reason) {
				return reason;
			}
		})();
		expect(ConfigurationError.isInstance(error)).toBe(true);
		expect((error as Error).message).toContain(message);
	});

	it("single braces, }}, code and shell stay as they are", () => {
		const text = 'a { b } }} $HOME <%= x %> {% if %} { { c } } `{"a": {"b": 1}}`';
		expect(fill(text)).toBe(text);
	});
});

/** Each took minutes, or all of the memory, in an engine without bounds; with them each is a matter of milliseconds. */
describe("what would go on for ever", () => {
	it.each([
		["blanks behind {{{", `{{{a}}${" ".repeat(250_000)}`, {}],
		["blanks in many tags", `{{a${" ".repeat(490)}}}`.repeat(500), { a: 1 }],
		["open braces", "{{".repeat(120_000), {}],
		["sections in sections", "{{#a}}".repeat(20_000) + "{{/a}}".repeat(20_000), {}],
	])(
		"%s",
		(_, text, context) => {
			try {
				fill(text, context);
			} catch (error) {
				expect(ConfigurationError.isInstance(error)).toBe(true);
			}
		},
		20_000,
	);

	it("lists in lists in lists", () => {
		const list = Array(300).fill(1);
		expect(() => fill("{{#l}}{{#l}}{{#l}}{{#l}}{{#l}}{{/l}}{{/l}}{{/l}}{{/l}}{{/l}}", { l: list })).toThrow(
			"takes more than 1000000 steps",
		);
		const long = { l: Array(30_000).fill(1) };
		expect(() => fill(`{{#l}}${"{{z}}".repeat(30_000)}{{/l}}`, long)).toThrow("takes more than 1000000 steps");
		expect(() => fill("{{#l}}{{#l}}{{/l}}{{/l}}", long)).toThrow("takes more than 1000000 steps");
		expect(fill(`{{#l}}${"{{!}}".repeat(30_000)}{{/l}}`, long)).toBe("");
		expect(() => fill("{{#l}}{{t}}{{/l}}", { l: list, t: "x".repeat(10_000) })).toThrow("comes to more than 1000000 characters");
		expect(() => fill("{{t}}", { t: "x".repeat(1_000_001) })).toThrow("comes to more than 1000000 characters");
		expect(fill("{{t}}", { t: "x".repeat(1_000_000) })).toHaveLength(1_000_000);
	});
});
