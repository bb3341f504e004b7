import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Capabilities } from "../../src/capability/capabilities.js";
import { FrontMatterFlaw } from "../../src/markdown/front-matter-flaw.js";
import { AgentSkillCatalog } from "../../src/skill/agent-skill-catalog.js";
import { parseSkillFile } from "../../src/skill/parse-skill-file.js";
import { temporaryBundle } from "../script/bundle.js";

const file = (...lines: readonly string[]): string => `---\n${lines.join("\n")}\n---\nbody\n`;
const read = (text: string) => parseSkillFile(text, { quoting: true });
const values = (text: string): Record<string, unknown> => ({ ...read(text).frontMatter.values });

describe("parseSkillFile() with quoting", () => {
	it.each<[string, readonly string[], Record<string, unknown>]>([
		[
			"a second colon",
			["name: a", "description: Use when: the user asks", "license: MIT"],
			{ name: "a", description: "Use when: the user asks", license: "MIT" },
		],
		["a colon at the end", ["description: Use when:", "name: a"], { description: "Use when:", name: "a" }],
		["several on a line and on several lines", ["a: b: c: d", "e: f: g"], { a: "b: c: d", e: "f: g" }],
		["quotes in the value", ['a: it\'s "so": yes'], { a: 'it\'s "so": yes' }],
		["a value that goes on below", ["a: Use when: x", "  and: it's y", "b: c"], { a: "Use when: x and: it's y", b: "c" }],
		["a value below a key", ["metadata:", "  a: b: c", "  d: e"], { metadata: { a: "b: c", d: "e" } }],
		["an entry of a list", ["fs_read:", "  - a: b: c"], { fs_read: [{ a: "b: c" }] }],
		["a path that looks like more", ["fs_read: /a: /b"], { fs_read: "/a: /b" }],
	])("reads %s as if the value had quotes", (_, lines, expected) => {
		expect(JSON.parse(JSON.stringify(values(file(...lines))))).toEqual(expected);
	});

	it("leaves blocks and quoted values alone", () => {
		expect(values(file("a: |", "  x: y: z", "b: 'c: d'", "e: f: g"))).toEqual({ a: "x: y: z\n", b: "c: d", e: "f: g" });
	});

	it("says which keys, and on which lines", () => {
		expect(read(file("name: a", "description: x: y", "b: c", "license: d: e")).quoted).toEqual([
			{ key: "description", line: 3 },
			{ key: "license", line: 5 },
		]);
		expect(read(file("name: a")).quoted).toEqual([]);
	});

	it.each([
		["what is wrong besides", ["a: b: c", "d: [e"]],
		["a list in brackets", ["a: [b: c: d]", "e: f: g"]],
		["a quoted text with more behind it", ['a: "b": c']],
		["an alias", ["a: *b: c"]],
		["a doubled key", ["a: b: c", "a: d"]],
	])("refuses %s, with quotes or without", (_, lines) => {
		expect(() => read(file(...lines))).toThrow(FrontMatterFlaw);
	});

	it("refuses it all where it is not asked for", () => {
		expect(() => parseSkillFile(file("description: Use when: x"))).toThrow(/line 2 /);
	});

	it("gives exactly what the same file with quotes gives, grants included", () => {
		const key = fc.constantFrom("description", "fs_read", "fs_write", "network", "timeout", "trust", "limits", "allowed-tools", "license");
		const word = fc.constantFrom(
			"yes",
			"true",
			"core",
			"/",
			"~",
			"/etc",
			"5",
			"a",
			"it's",
			"network",
			"fs_write",
			'"x"',
			"#",
			"-",
			"[",
			"]",
		);
		const value = fc
			.array(word, { minLength: 2, maxLength: 5 })
			.filter(([first = ""]) => !/^["'[\]#-]/.test(first))
			.map((words) => words.join(": ").trim());
		const line = fc.record({ key, value });
		fc.assert(
			fc.property(fc.uniqueArray(line, { selector: (each) => each.key, minLength: 1, maxLength: 4 }), (lines) => {
				const unquoted = file(...lines.map((each) => `${each.key}: ${each.value}`), "name: a");
				const quoted = file(...lines.map((each) => `${each.key}: '${each.value.replaceAll("'", "''")}'`), "name: a");
				const [mended, meant] = [read(unquoted).frontMatter.values, parseSkillFile(quoted).frontMatter.values];
				expect({ ...mended }).toEqual({ ...meant });
				const [got, should] = [Capabilities.fromFrontMatter(mended), Capabilities.fromFrontMatter(meant)];
				expect(got).toEqual(should);
				// a text with a colon in it is none of the words that grant, so nothing is granted but odd paths
				expect({ network: got.network, trust: got.trust, timeout: got.timeout }).toEqual({
					network: false,
					trust: "external",
					timeout: 60,
				});
			}),
			{ numRuns: 500 },
		);
	});
});

it("a catalog has every skill whose description holds an unquoted colon, and says so of each", async () => {
	const skillMd = (name: string, description: string): string =>
		file(`name: ${name}`, `description: ${description}`, "allowed-tools: Read");
	const root = temporaryBundle({
		"a/SKILL.md": skillMd("a", "Use when: the user asks"),
		"b/SKILL.md": skillMd("b", "Reviews code."),
		"c/SKILL.md": skillMd("c", "Reviews code. Triggers: review, check"),
	});
	const catalog = new AgentSkillCatalog(root);
	expect((await catalog.all()).map(({ description, allowedTools }) => [description, allowedTools])).toEqual([
		["Use when: the user asks", ["Read"]],
		["Reviews code.", ["Read"]],
		["Reviews code. Triggers: review, check", ["Read"]],
	]);
	expect((await catalog.diagnostics()).map(({ code, path, line }) => [code, path, line])).toEqual([
		["value_unquoted", join(root, "a", "SKILL.md"), 3],
		["value_unquoted", join(root, "c", "SKILL.md"), 3],
	]);
});
