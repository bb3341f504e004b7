import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { expandTemplates } from "../../src/template/expand-templates.js";
import { parseTemplate } from "../../src/template/parse-template.js";
import { renderTemplates } from "../../src/template/render-templates.js";
import type { Template } from "../../src/template/template.js";
import { templateValues } from "../../src/template/template-values.js";
import { fill } from "./compile.js";

const NAMES = ["a", "b", "user", "constructor", "__proto__", "length", "größe"] as const;
const name = fc.constantFrom(...NAMES);
const braces = fc.constantFrom("{{a}}", "{{", "}}", "{{{b}}}", "{{#a}}", "{{/a}}", "{{> a}}", "{{=<% %>=}}", "$&", "$1", "\n", "<b>");
const text = fc.oneof(
	fc.string({ unit: "grapheme" }),
	fc.array(braces, { maxLength: 4 }).map((parts) => parts.join("")),
);
/** Anything but a function or a symbol by itself, which are refused. */
const value = fc.oneof(
	text,
	fc.anything({ withBigInt: true, withDate: true, withMap: true, withSet: true, withNullPrototype: true, withTypedArray: true }),
);
const values = fc.array(fc.tuple(name, value), { maxLength: 7 }).map((pairs) => Object.fromEntries(pairs));

/** Text without braces, variables and sections, as one may write them. */
const plain = fc.constantFrom("Hello ", "\n", "# Title\n", "- ", " { } ", "%", "ß");
const piece: fc.Arbitrary<string> = fc.letrec<{ piece: string }>((tie) => ({
	piece: fc.oneof(
		{ maxDepth: 3 },
		plain,
		name.map((variable) => `{{${variable}}}`),
		name.map((variable) => `{{{ ${variable} }}}`),
		fc.tuple(name, fc.array(tie("piece"), { maxLength: 3 })).map(([section, inside]) => `{{#${section}}}${inside.join("")}{{/${section}}}`),
		fc.tuple(name, fc.array(tie("piece"), { maxLength: 3 })).map(([section, inside]) => `{{^${section}}}${inside.join("")}{{/${section}}}`),
	),
})).piece;
const template = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(""));

describe("filling in", () => {
	it("a template that is right never throws, whatever the values, and changes none of them", () => {
		fc.assert(
			fc.property(template, values, (body, given) => {
				const filled = fill(body, given);
				expect(typeof filled).toBe("string");
				expect(fill(body, given)).toBe(filled);
			}),
			{ numRuns: 500 },
		);
	});

	it("leaves no variable behind, and every text as it is", () => {
		fc.assert(
			fc.property(fc.array(fc.tuple(plain, name), { maxLength: 8 }), fc.tuple(...NAMES.map(() => text)), (pieces, texts) => {
				const given = Object.fromEntries(NAMES.map((each, index) => [each, texts[index]]));
				const body = pieces.map(([words, variable]) => `${words}{{${variable}}}`).join("");
				expect(fill(body, given)).toBe(
					pieces.map(([words, variable]) => `${words}${Object.entries(given).find(([each]) => each === variable)?.[1]}`).join(""),
				);
			}),
			{ numRuns: 500 },
		);
	});
});

describe("template skills", () => {
	const ids = ["one", "two", "three", "four", "five", "six"] as const;
	const skills = fc.array(fc.array(fc.constantFrom(...ids, "agent", "nobody"), { maxLength: 5 }), {
		minLength: ids.length,
		maxLength: ids.length,
	});

	it("come to an end in any circle, each once, each behind those it names first, the main one last", () => {
		fc.assert(
			fc.property(skills, fc.array(fc.constantFrom(...ids, "agent"), { maxLength: 3 }), (named, roots) => {
				const library = new Map<string, Template>(
					ids.map((id, index) => [id, parseTemplate(id, `---\nskills: [${named[index]?.join(", ")}]\n---\n${id}`).template]),
				);
				const { templates, agentSkills, unknown } = expandTemplates(library, "one", roots, new Set(["agent"]));
				const used = templates.map(({ id }) => id);
				expect(new Set(used).size).toBe(used.length);
				expect(used.at(-1)).toBe("one");
				expect(renderTemplates(templates, templateValues({}))).toBe(used.join("\n\n"));

				const reached = new Set<string>();
				const reach = (id: string): void => {
					if (reached.has(id)) return;
					reached.add(id);
					for (const skill of library.get(id)?.skills ?? []) reach(skill);
				};
				for (const id of ["one", ...roots]) reach(id);
				expect([...used, ...agentSkills, ...unknown].sort()).toEqual([...reached].sort());
				expect(agentSkills).toEqual(reached.has("agent") ? ["agent"] : []);
			}),
			{ numRuns: 500 },
		);
	});
});
