import { join } from "node:path";
import { expect, it } from "vitest";
import { cliInThread } from "../run-cli.js";
import { skillMd, temporarySkills } from "../temporary-skills.js";

const FILES = {
	"good/SKILL.md": skillMd("good", "Does good."),
	"group/colon/SKILL.md": "---\nname: colon\ndescription: Use when: asked\n---\n",
	"group/other/SKILL.md": skillMd("another", "Has another name.", "argument-hint: x"),
	"evil/SKILL.md": '---\nname: "evil \\e[2J"\n---\n',
};

it("skills validate names file, line, rule and fix, counts, and ends with 1 on errors", () => {
	const root = temporarySkills(FILES);
	const { code, stdout, stderr } = cliInThread(["skills", "validate", "."], { cwd: root });
	expect({ code, stderr }).toEqual({ code: 1, stderr: "" });
	expect(stdout).toMatch(
		/^evil\/SKILL\.md:1: error description_missing: Its front matter has no description\. Add a line "description: …"\.$/m,
	);
	expect(stdout).toMatch(/^evil\/SKILL\.md:2: error name_unusable: /m);
	expect(stdout).toMatch(/^group\/colon\/SKILL\.md:3: warning value_unquoted: .*Put it in quotes\.$/m);
	expect(stdout).toMatch(/^group\/other\/SKILL\.md:2: warning name_differs_from_directory: /m);
	expect(stdout).toMatch(/\n4 skills, lenient: 2 errors, 2 warnings\.\n$/);
	expect(stdout).not.toContain("\u001b");
});

it("skills validate ends with 0 where there are only warnings, and --strict makes them errors", () => {
	const root = temporarySkills(FILES);
	const other = join(root, "group/other");
	expect(cliInThread(["skills", "validate", other, join(root, "good", "SKILL.md")])).toMatchObject({ code: 0, stderr: "" });
	const { code, stdout } = cliInThread(["skills", "validate", "--strict", "--json", other, join(root, "good")]);
	expect(code).toBe(1);
	const { validation, bundles, diagnostics } = JSON.parse(stdout);
	expect({ validation, diagnostics }).toEqual({ validation: "strict", diagnostics: [] });
	expect(bundles).toEqual([
		{
			path: other,
			diagnostics: [
				expect.objectContaining({ severity: "error", code: "name_differs_from_directory", path: join(other, "SKILL.md"), line: 2 }),
				expect.objectContaining({ severity: "error", code: "field_unknown", path: join(other, "SKILL.md"), line: 4 }),
			],
		},
		{ path: join(root, "good"), diagnostics: [] },
	]);
});

it("skills validate of a path that is not there, or that is no SKILL.md, ends with 2; of a folder without one with 1", () => {
	const root = temporarySkills({ "empty/README.md": "x" });
	for (const path of ["none", "empty/README.md"]) {
		const { code, stdout, stderr } = cliInThread(["skills", "validate", join(root, path)]);
		expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
		expect(stderr).toContain("Name a SKILL.md, the folder of a skill, or a folder of skills.");
	}
	expect(cliInThread(["skills", "validate", join(root, "empty")])).toMatchObject({
		code: 1,
		stdout: expect.stringContaining("file_unreadable"),
	});
});
