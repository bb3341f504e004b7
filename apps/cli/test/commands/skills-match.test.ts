import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { cliInThread } from "../run-cli.js";
import { skillMd, temporarySkills } from "../temporary-skills.js";

const SKILLS = {
	"log-report/SKILL.md": skillMd("log-report", "Summarise web server log files."),
	"markdown-links/SKILL.md": skillMd("markdown-links", "Find broken links in Markdown files."),
	"odd/SKILL.md": skillMd("odd", "Paint walls."),
};

it("skills match prints what fits, the surest first, and by which rule; with --all the rest, too", () => {
	const root = temporarySkills(SKILLS);
	const { code, stdout, stderr } = cliInThread(["skills", "match", "summarise the log files of the web server", "--skills", root]);
	expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
	expect(stdout.split("\n")[0]).toMatch(/^ +score +confidence +skill +why \(lexical-v2\)$/);
	expect(stdout.split("\n")[1]).toMatch(/^ {2}active +0\.\d\d +[01]\.\d\d +log-report +a confidence of 0\.5 or more$/);
	expect(stdout).not.toContain("odd");
	const all = cliInThread(["skills", "match", "summarise log files", "--all", "--json", "--skills", root]);
	expect(JSON.parse(all.stdout)).toMatchObject({
		embedder: "lexical-v2",
		named: [],
		matches: [{ name: "log-report", tier: "active" }, {}, { name: "odd", tier: "none" }],
	});
});

it("skills match takes the skills that the message names, and says which name is near one that is none", () => {
	const root = temporarySkills(SKILLS);
	const { stdout } = cliInThread(["skills", "match", "/odd /od please", "--skills", root]);
	expect(stdout).toMatch(/^ {2}active +odd +named in the message$/m);
	expect(stdout).toContain("/od is no skill; near it: odd\n");
});

it("skills match asks the embedder that is named, and says why another one answers", () => {
	const root = temporarySkills(SKILLS);
	const module = join(root, "embedder.mjs");
	writeFileSync(module, 'export const embedder = () => ({ id: "mine", embed: async () => { throw new Error("no \\u001b[31mmodel"); } });');
	const { code, stdout, stderr } = cliInThread(["skills", "match", "log files", "--embedder", module, "--skills", root]);
	expect({ code, stderr }).toEqual({ code: 0, stderr: "mine failed: no \\u001b[31mmodel; lexical-v2 answered in its place.\n" });
	expect(stdout).toContain("log-report");
	const absent = cliInThread(["skills", "match", "x", "--embedder", "@acme/absent", "--skills", root]);
	expect([absent.code, absent.stderr]).toEqual([1, expect.stringContaining("npm install @acme/absent")]);
});

it("skills match says so when nothing fits, and what cannot", () => {
	const root = temporarySkills(SKILLS);
	const broken = cliInThread(["skills", "match", "x", "--skills", temporarySkills({ "a/SKILL.md": "---\nname: [\n---\n" })]);
	expect(broken.stderr).toMatch(/^error: .*a\/SKILL\.md.*\nNo usable skill in .*Mend what is named above\.\n$/);
	expect(cliInThread(["skills", "match", "🙂", "--skills", root])).toEqual({ code: 0, stdout: "", stderr: "No skill fits.\n" });
	expect(cliInThread(["skills", "match", " ", "--skills", root])).toMatchObject({
		code: 2,
		stderr: expect.stringContaining("The message is empty"),
	});
});
