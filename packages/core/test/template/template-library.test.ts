import { spawnSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { ConfigurationError } from "../../src/errors/configuration-error.js";
import { TemplateDirectory } from "../../src/template/template-directory.js";
import { readTemplates } from "../../src/template/template-library.js";
import { Prompts } from "./prompts.js";

const SECRET = "the secret\n";

function messageOf(prompts: Prompts, id: unknown): string {
	try {
		readTemplates(new TemplateDirectory(prompts.path), id as string, []);
	} catch (error) {
		if (ConfigurationError.isInstance(error)) return (error as Error).message;
		throw error;
	}
	return "read";
}

describe("the id of a template", () => {
	it.each(["support", "tone/formal", "a/b/c-d_e.v2", "größe", "3"])("may be %j", (id) => {
		expect(messageOf(new Prompts({ [`${id}.md`]: "Hello" }), id)).toBe("read");
	});

	it.each([
		..."../secret|/etc/passwd|tone/../../secret|./support|tone/./formal|tone//formal|tone/|..|.|.hidden|tone/.hidden|-x|a b".split("|"),
		..."..\\secret|tone\\formal|C:\\secret|C:secret|C:/secret|\\\\host\\share|~/secret|file:///etc/passwd|%2e%2e/secret|support?x".split(
			"|",
		),
		...["", "support\0", "support\n", "\u202esupport", "a".repeat(201), "a/".repeat(100)],
		...[1, null, {}, ["support"]],
	])("may not be %j, though there is a file where it would lead to", (id) => {
		const prompts = new Prompts({ "support.md": "Hello", "tone/formal.md": "Hello", ".hidden.md": SECRET });
		writeFileSync(prompts.beside("secret.md"), SECRET);
		expect(messageOf(prompts, id)).toContain("cannot be the id of a template.");
	});

	it("that nobody has is named with the nearest one, and with what there is", () => {
		const prompts = new Prompts({ "support.md": "x", "tone/formal.md": "x", "notes.txt": "x" });
		expect(messageOf(prompts, "suport")).toBe(
			`There is no template "suport" in ${prompts.path} (templatePath). Did you mean "support"? There are: support, tone/formal.`,
		);
		expect(messageOf(prompts, "support.md")).toContain('Did you mean "support"?');
		expect(messageOf(new Prompts(), "support")).toContain("There are none in it.");
	});
});

describe("the file of a template", () => {
	it("is never one outside of the directory, whatever link leads there", () => {
		const prompts = new Prompts({ "inside.md": "Hello" });
		writeFileSync(prompts.beside("secret.md"), SECRET);
		mkdirSync(prompts.beside("prompts-of-others"));
		writeFileSync(prompts.beside("prompts-of-others/secret.md"), SECRET);
		symlinkSync(prompts.beside("secret.md"), prompts.file("file.md"));
		symlinkSync("../prompts-of-others", prompts.file("directory"));
		symlinkSync("../nowhere.md", prompts.file("dangling.md"));
		for (const id of ["file", "directory/secret", "dangling"]) {
			const message = messageOf(prompts, id);
			expect(message).toContain(
				`The template "${id}" cannot be used, ${prompts.file(`${id}.md`)}: it is a link out of the template directory, to`,
			);
			expect(message).not.toContain(SECRET);
		}
		symlinkSync("inside.md", prompts.file("link.md"));
		expect(messageOf(prompts, "link")).toBe("read");
	});

	it("may lie in a directory that is a link itself", () => {
		const prompts = new Prompts({ "support.md": "Hello" });
		symlinkSync(prompts.path, prompts.beside("link"));
		expect(readTemplates(new TemplateDirectory(prompts.beside("link")), "support", []).has("support")).toBe(true);
	});

	it("is a text of a size that can be read, and waited for by nobody", () => {
		const prompts = new Prompts({
			"large.md": "x".repeat(256 * 1024 + 1),
			"whole.md": "x".repeat(256 * 1024),
			"bytes.md": Uint8Array.of(0xff, 0xfe),
		});
		mkdirSync(prompts.file("directory.md"));
		spawnSync("mkfifo", [prompts.file("fifo.md")]);
		symlinkSync("loop.md", prompts.file("loop.md"));
		expect(messageOf(prompts, "whole")).toBe("read");
		expect(messageOf(prompts, "large")).toContain("it is larger than 256 KiB");
		expect(messageOf(prompts, "bytes")).toContain("it is not UTF-8 text. Save it as UTF-8.");
		expect(messageOf(prompts, "directory")).toContain("it is not a file");
		expect(messageOf(prompts, "fifo")).toContain("it is not a file");
		expect(messageOf(prompts, "loop")).toContain("it cannot be read (ELOOP)");
	});
});

describe("readTemplates()", () => {
	it("reads what templates name, in circles too, and leaves out what has no file or no such name", () => {
		const prompts = new Prompts({
			"a.md": "---\nskills: [b, some-agent-skill, ../x]\n---\nA",
			"b.md": "---\nskills: a\n---\nB",
			"c.md": "C",
		});
		const library = readTemplates(new TemplateDirectory(prompts.path), "a", ["c", "nobody"]);
		expect([...library.keys()]).toEqual(["a", "c", "b"]);
		expect(library.get("b")?.skills).toEqual(["a"]);
	});
});
