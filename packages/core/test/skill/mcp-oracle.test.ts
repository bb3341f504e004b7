import { memorySkillFiles, SkillsExtension } from "@modelcontextprotocol/server/ext/skills";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { validateSkillText } from "../../src/skill/validate-skill.js";

type Verdict = { readonly isValid: boolean; readonly why: string };

/** What the loader of the MCP server, which holds bundles to the standard by code of its own, says of a bundle in a directory of that name. */
async function theirs(text: string, directoryName: string): Promise<Verdict> {
	const said: string[] = [];
	const catalog = await SkillsExtension.load(memorySkillFiles({ [`${directoryName}/SKILL.md`]: text }), {
		onWarning: ({ message }) => said.push(message),
	});
	return { isValid: catalog.entries.length === 1, why: said.join("; ") };
}

async function ours(text: string, directoryName: string): Promise<Verdict> {
	const errors = (await validateSkillText(text, { validation: "strict", directoryName })).filter(({ severity }) => severity === "error");
	return { isValid: errors.length === 0, why: errors.map(({ code, message }) => `${code}: ${message}`).join("; ") };
}
const skill = (...lines: readonly string[]): string => `---\n${lines.join("\n")}\n---\nbody\n`;

const NAMED = ["name: a", "description: b"];
const ODD: readonly (readonly [string, string])[] = [
	["a", skill(...NAMED)],
	["a", skill(...NAMED, "license: MIT", "compatibility: x", "metadata:", "  a: b", "allowed-tools: Read")],
	["b", skill(...NAMED)],
	["A", skill("name: A", "description: b")],
	["a--b", skill("name: a--b", "description: b")],
	["-a", skill("name: -a", "description: b")],
	["a-", skill("name: a-", "description: b")],
	["a_b", skill("name: a_b", "description: b")],
	["a.b", skill("name: a.b", "description: b")],
	["a1", skill("name: a1", "description: b")],
	["123", skill('name: "123"', "description: b")],
	["123", skill("name: 123", "description: b")],
	["true", skill("name: true", "description: b")],
	["x".repeat(64), skill(`name: ${"x".repeat(64)}`, "description: b")],
	["x".repeat(65), skill(`name: ${"x".repeat(65)}`, "description: b")],
	["技能", skill("name: 技能", "description: b")],
	["café", skill("name: cafe\u0301", "description: b")],
	["a", skill("name: a")],
	["a", skill("description: b")],
	["a", skill("name: a", "description: ''")],
	["a", skill("name: a", "description: '  '")],
	["a", skill("name: a", `description: ${"b".repeat(1024)}`)],
	["a", skill("name: a", `description: ${"b".repeat(1025)}`)],
	["a", skill("name: a", `description: x${"😀".repeat(600)}`)],
	["a", skill(...NAMED, `compatibility: ${"c".repeat(500)}`)],
	["a", skill(...NAMED, `compatibility: ${"c".repeat(501)}`)],
	["a", skill(...NAMED, "compatibility: ''")],
	["a", skill(...NAMED, "license: 3")],
	["a", skill(...NAMED, "license:")],
	["a", skill(...NAMED, "metadata:")],
	["a", skill(...NAMED, "metadata: x")],
	["a", skill(...NAMED, "metadata:", "  version: 1.0")],
	["a", skill(...NAMED, "metadata:", '  version: "1.0"')],
	["a", skill(...NAMED, "metadata:", "  a:", "    b: c")],
	["a", skill(...NAMED, "metadata: {a: b}")],
	["a", skill(...NAMED, "allowed-tools: [Read]")],
	["a", skill(...NAMED, "allowed-tools:", "  - Read")],
	["a", skill(...NAMED, "allowed-tools: Read, Write")],
	["a", skill(...NAMED, "requires: x")],
	["a", skill(...NAMED, "fs_read: /")],
	["a", skill(...NAMED, "__proto__: x")],
	["a", skill("name: a", "description: Use when: x")],
	["a", skill("name: a", "description: >-", "  x", "  y")],
	["a", skill("name: a", "description: |", "  x")],
	["a", skill("name: a", "name: a", "description: b")],
	["a", skill("name: &x a", "description: b")],
	["a", skill("name: !!str a", "description: b")],
	["a", skill("name: a", "description: b # c")],
	["a", skill("name: a", "description: yes")],
	["a", skill("name: a", "description: ~")],
	["a", skill("name: a", "description: 2024-01-01")],
	["a", `\ufeff${skill(...NAMED)}`],
	["a", skill(...NAMED).replaceAll("\n", "\r\n")],
	["a", "---\nname: a\ndescription: b\n---"],
	["a", "---\nname: a\ndescription: b\n"],
	["a", "name: a\n"],
	["a", ""],
	["a", "---js\n{}\n---\n"],
	["a", "--- \nname: a\ndescription: b\n--- \n"],
];

/**
 * Where the two differ on purpose, by what ours or theirs says. The reference validator of the standard is on our side in each: it takes
 * letters of every script, refuses blank descriptions and unknown fields; that a license and tools are a text is in the specification.
 */
const THEY_ARE_LAXER = [/^description_missing: Its description is blank/, /^field_unknown/, /^field_malformed: (?:license|allowed-tools)/];
/** The first is names in other scripts; the others are YAML, which the specification asks for, and blanks behind a fence, which nobody sees. */
const THEY_ARE_STRICTER = [
	/must be 1-64 lowercase/,
	/anchors, aliases and tags|cannot start a plain value/,
	/must begin with a "---" line/,
];

async function agree(text: string, directoryName: string): Promise<boolean> {
	const [they, we] = [await theirs(text, directoryName), await ours(text, directoryName)];
	if (they.isValid === we.isValid) return true;
	const [reasons, why] = they.isValid ? [THEY_ARE_LAXER, we.why.split("; ")[0]] : [THEY_ARE_STRICTER, they.why];
	expect({ text, why, isOnPurpose: reasons.some((reason) => reason.test(why ?? "")) }).toEqual({ text, why, isOnPurpose: true });
	return false;
}

describe("strict validation beside the loader of the MCP server", () => {
	it("agrees on hand-written bundles, or differs on purpose", async () => {
		const agreed = await Promise.all(ODD.map(([name, text]) => agree(text, name)));
		expect(agreed.filter((each) => !each)).toHaveLength(11);
	});

	it("agrees on generated ones, or differs on purpose", async () => {
		const name = fc.constantFrom(
			"a",
			"b",
			"A",
			"a-b",
			"a--b",
			"-a",
			"a_b",
			"é",
			"12",
			'"12"',
			"x".repeat(65),
			"''",
			"true",
			"a: b",
			"a # b",
		);
		const text = fc.constantFrom(
			"b",
			"''",
			"5",
			"yes",
			"~",
			"x: y",
			"'x: y'",
			">-\n  b\n  c",
			"b # c",
			"x".repeat(1025),
			"x".repeat(501),
			"[Read]",
			'"😀"',
		);
		const line = fc.oneof(
			fc
				.tuple(fc.constantFrom("description", "license", "compatibility", "allowed-tools", "requires"), text)
				.map(([key, value]) => `${key}: ${value}`),
			text.map((value) => `metadata:\n  key: ${value.includes("\n") ? "z" : value}`),
		);
		let valid = 0;
		await fc.assert(
			fc.asyncProperty(
				name,
				fc.uniqueArray(line, { maxLength: 4, selector: (each) => each.split(":")[0] }),
				fc.boolean(),
				async (own, lines, sameName) => {
					const content = skill(
						`name: ${own}`,
						...(lines.some((each) => each.startsWith("description")) ? [] : ["description: b"]),
						...lines,
					);
					const plain = own.replaceAll(/["']/g, "") || "a";
					const directoryName = sameName ? plain : "other";
					await agree(content, directoryName);
					if ((await ours(content, directoryName)).isValid) valid++;
				},
			),
			{ numRuns: 400 },
		);
		// a property about nothing but mistakes would say little
		expect(valid).toBeGreaterThan(10);
	});
});
