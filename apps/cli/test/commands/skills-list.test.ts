import { chmodSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { cli, cliInThread, stranger } from "../run-cli.js";
import { skillMd, temporarySkills } from "../temporary-skills.js";

const MIXED = {
	"zebra/SKILL.md": skillMd("zebra", "Draws stripes."),
	"zebra/scripts/draw.sh": "#!/bin/sh\necho stripes\n",
	"ant/SKILL.md": skillMd("ant", "Carries leaves."),
	"broken-yaml/SKILL.md": "---\nname: [unclosed\n---\nbody\n",
	"no-description/SKILL.md": "---\nname: no-description\n---\nbody\n",
	"no-front-matter/SKILL.md": "just text\n",
	"code/SKILL.md": "---js\nmodule.exports = { name: 'code', description: process.exit(9) }\n---\n",
	"not-a-skill/README.md": "nothing here\n",
};

it("skills list shows the good skills by name and names each broken one on standard error", () => {
	const root = temporarySkills(MIXED);
	const { code, stdout, stderr } = cliInThread(["skills", "list", "--skills", root]);
	expect(code).toBe(0);
	expect(stdout).toBe(`ant  ${root}\n  Carries leaves.\nzebra  ${root}\n  Draws stripes.\n`);
	for (const name of ["broken-yaml", "no-description", "no-front-matter", "code"]) expect(stderr).toContain(join(root, name));
	expect(stderr).not.toContain("not-a-skill");
	expect(stderr).not.toMatch(/^\s+at /m);
});

it("skills list --json prints one document with skills, their tools and the diagnostics, and nothing else", () => {
	const root = temporarySkills(MIXED);
	const { code, stdout, stderr } = cliInThread(["skills", "list", "--skills", root, "--json"]);
	expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
	const { skills, diagnostics } = JSON.parse(stdout);
	expect(skills).toEqual([
		{ name: "ant", description: "Carries leaves.", path: join(root, "ant"), root, trust: "external", hides: [], scripts: [] },
		{ name: "zebra", description: "Draws stripes.", path: join(root, "zebra"), root, trust: "external", hides: [], scripts: ["draw"] },
	]);
	expect(diagnostics.filter(({ severity }: { severity: string }) => severity === "error")).toHaveLength(4);
});

it("skills list takes several folders", () => {
	const [one, other] = [temporarySkills({ "a/SKILL.md": skillMd("a", "A.") }), temporarySkills({ "b/SKILL.md": skillMd("b", "B.") })];
	const both = `a  ${one}\n  A.\nb  ${other}\n  B.\n`;
	expect(cliInThread(["skills", "list", "--skills", one, other]).stdout).toBe(both);
	expect(cliInThread(["skills", "list", "--skills", one, "--skills", other]).stdout).toBe(both);
});

it("skills list of an empty folder, and of a home without skills, says so and ends with 0", () => {
	const root = temporarySkills({ "empty.txt": "" });
	expect(cliInThread(["skills", "list", "--skills", root])).toMatchObject({ code: 0, stdout: "" });
	expect(cliInThread(["skills", "list", "--skills", root]).stderr).toContain(`No usable skill in ${root}`);
	expect(cliInThread(["skills", "list"]).stderr).toContain("/nonexistent/.prompts/skills");
});

it("skills list spells out what a description would make the terminal do", () => {
	const root = temporarySkills({ "evil/SKILL.md": '---\nname: evil\ndescription: "clear \\e[2J screen"\n---\n' });
	const { stdout } = cliInThread(["skills", "list", "--skills", root]);
	expect(stdout).toContain("clear \\u001b[2J screen");
	expect(stdout).not.toContain("\u001b");
});

// Root may read everything, so the command is then run by somebody else, who must be able to start it.
it.skipIf(stranger === undefined)("skills list of a folder that may not be read ends with 1 and names it", () => {
	const root = temporarySkills({ "a/SKILL.md": skillMd("a", "A.") });
	expect(cli(["skills", "list", "--skills", root], stranger).code).toBe(0);
	chmodSync(root, 0o000);
	const { code, stdout, stderr } = cli(["skills", "list", "--skills", root], stranger);
	chmodSync(root, 0o755);
	expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
	expect(stderr).toContain(`The folder ${root} may not be read`);
});

it.skipIf(stranger === undefined)("skills list names a skill that may not be read and shows the others", () => {
	const root = temporarySkills({ "a/SKILL.md": skillMd("a", "A."), "secret/SKILL.md": skillMd("secret", "S.") });
	chmodSync(join(root, "secret/SKILL.md"), 0o000);
	const { code, stdout, stderr } = cli(["skills", "list", "--skills", root], stranger);
	expect({ code, stdout }).toEqual({ code: 0, stdout: `a  ${root}\n  A.\n` });
	expect(stderr).toContain(join(root, "secret"));
});
