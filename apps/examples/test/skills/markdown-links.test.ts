import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { runScript } from "../run-script.js";

const check = (...args: string[]) => runScript("markdown-links/scripts/check.mjs", args);

function temporaryDocs(files: Record<string, string>): string {
	const directory = mkdtempSync(join(tmpdir(), "robot-lab-docs-"));
	onTestFinished(() => rmSync(directory, { recursive: true }));
	for (const [name, text] of Object.entries(files)) {
		mkdirSync(dirname(join(directory, name)), { recursive: true });
		writeFileSync(join(directory, name), text);
	}
	return directory;
}

it("check finds the three broken links of the shipped handbook and nothing else", () => {
	const { stdout, code } = check("data/handbook");
	expect(code).toBe(0);
	expect(stdout.trimEnd().split("\n")).toEqual([
		"data/handbook/README.md:5: orders/wrapping.md: there is no such file",
		"data/handbook/README.md:6: [prices] is not defined",
		"data/handbook/opening.md:5: #at-weekends: there is no heading #at-weekends",
		"14 links in 4 files: 3 broken, 2 to other hosts not visited",
	]);
});

it("check --strict exits with 1 when a link is broken and with 0 when none is", () => {
	expect(check("--strict", "data/handbook").code).toBe(1);
	expect(check("--strict", "data/handbook/orders").code).toBe(0);
});

it("check takes links in code for no links, and knows titles, angle brackets and encoded blanks", () => {
	const docs = temporaryDocs({
		"a.md": ["# A B", "~~~", "[x](no.md)", "~~~", "`[x](no.md)`", '[t](b.md "title") [s](<b c.md>) [e](b%20c.md) [self](#a-b)'].join("\n"),
		"b.md": "",
		"b c.md": "",
	});
	expect(check(docs).stdout).toBe("4 links in 3 files: 0 broken, 0 to other hosts not visited\n");
});

it("check numbers headings that repeat and drops their punctuation", () => {
	const docs = temporaryDocs({ "a.md": "## What's new?\n## What's new?\n[1](#whats-new) [2](#whats-new-1) [3](#whats-new-2)\n" });
	expect(check(docs).stdout).toContain("a.md:3: #whats-new-2: there is no heading");
	expect(check(docs).stdout).toContain("3 links in 1 files: 1 broken");
});

it("check leaves node_modules and hidden folders out", () => {
	const docs = temporaryDocs({ "node_modules/x/a.md": "[x](no.md)", ".git/a.md": "[x](no.md)", "a.md": "" });
	expect(check(docs).stdout).toContain("0 links in 1 files");
});

it.each([
	[[], 2, "name a Markdown file or a folder"],
	[["--verbose", "data"], 2, "--verbose"],
	[["nowhere.md"], 1, "there is no file or folder nowhere.md"],
])("check %j ends with %d and says why on standard error only", (args, code, message) => {
	const run = check(...args);
	expect(run).toMatchObject({ code, stdout: "" });
	expect(run.stderr).toContain(message);
	expect(run.stderr).not.toContain("    at ");
});

it("check --help describes itself on standard output", () => {
	expect(check("--help")).toMatchObject({ code: 0, stderr: "" });
});
