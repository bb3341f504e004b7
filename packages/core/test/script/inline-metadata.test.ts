import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readInlineMetadata } from "../../src/script/inline-metadata.js";

const block = (toml: string, newline = "\n"): string =>
	["# /// script", ...toml.split("\n").map((line) => (line === "" ? "#" : `# ${line}`)), "# ///"].join(newline);

describe("readInlineMetadata()", () => {
	it("reads what a script depends on and the Python it needs", async () => {
		const text = `#!/usr/bin/env python3\n${block('requires-python = ">=3.11"\ndependencies = [\n  "numpy>=2.0.0,<3.0", # fast\n\n  \'rich\',\n]\n[tool.uv]\nx = 1')}\nimport numpy\n`;
		expect(await readInlineMetadata(text)).toEqual({
			ok: true,
			value: { dependencies: ["numpy>=2.0.0,<3.0", "rich"], requiresPython: ">=3.11" },
		});
	});

	it.each([
		["nothing", ""],
		["a block that never ends", '# /// script\n# dependencies = ["x"]\n'],
		["a block that code interrupts", '# /// script\n# dependencies = ["x"]\nimport os\n# ///\n'],
		["a block of another kind", '# /// tool\n# dependencies = ["x"]\n# ///\n'],
		["a block that is indented", ' # /// script\n # dependencies = ["x"]\n # ///\n'],
		["a comment without a blank behind its mark", '# /// script\n#dependencies = ["x"]\n# ///\n'],
	])("finds no metadata in %s", async (_, text) => {
		expect(await readInlineMetadata(text)).toBeUndefined();
	});

	it.each([
		["an empty block", block(""), []],
		["carriage returns and a byte order mark", `\uFEFF${block('dependencies = ["x"]', "\r\n")}\r\n`, ["x"]],
		["a line in it that looks like its end", block("dependencies = ['''\n///\n''']"), ["///\n"]],
		["a key of the prototype", block('dependencies = ["x"]\n__proto__ = { dependencies = ["y"] }\nconstructor = 1'), ["x"]],
	])("reads %s", async (_, text, dependencies) => {
		expect(await readInlineMetadata(text)).toEqual({ ok: true, value: { dependencies } });
	});

	it.each([
		["no TOML", block("dependencies = [x]"), /is no TOML: /],
		["the same key twice", block("dependencies = []\ndependencies = []"), /is no TOML: /],
		["two blocks", `${block("")}\n\n${block("")}`, /it has 2 blocks/],
		["dependencies that are a text", block('dependencies = "x"'), /not a list of texts/],
		["a dependency that is no text", block("dependencies = [1]"), /not a list of texts/],
		["a version that is a number", block("requires-python = 3.11"), /requires-python is not a text/],
	])("says what is wrong with %s, in one line", async (_, text, reason) => {
		const read = await readInlineMetadata(text);
		expect(read).toEqual({ ok: false, reason: expect.stringMatching(reason) });
		expect(read?.ok === false && read.reason).not.toContain("\n");
	});

	it("gives back every list of dependencies that can be written", async () => {
		const dependency = fc.string({ unit: "grapheme", maxLength: 20 }).filter((text) => !text.includes("\u007f"));
		await fc.assert(
			fc.asyncProperty(fc.array(dependency, { maxLength: 5 }), async (dependencies) => {
				const text = `${block(`dependencies = [\n${dependencies.map((entry) => `  ${JSON.stringify(entry)},`).join("\n")}\n]`)}\n`;
				expect(await readInlineMetadata(text)).toEqual({ ok: true, value: { dependencies } });
			}),
		);
	});

	it("never rejects, whatever a block holds", async () => {
		await fc.assert(
			fc.asyncProperty(fc.string({ maxLength: 60 }), async (toml) => {
				expect(
					(
						await readInlineMetadata(
							`# /// script\n${toml
								.split("\n")
								.map((line) => `# ${line}`)
								.join("\n")}\n# ///\n`,
						)
					)?.ok,
				).toBeTypeOf("boolean");
			}),
		);
	});
});
