import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { cliInThread } from "../run-cli.js";
import { skillMd, temporarySkills } from "../temporary-skills.js";

/** Whether a script can be confined here with bubblewrap. */
const hasBubblewrap: boolean =
	JSON.parse(cliInThread(["sandbox", "status", "--json", "--backend", "bubblewrap"]).stdout).strategy === "bubblewrap";

/** A public skill that asks for nothing, in a project with something to read, and a home beside it. */
function project() {
	const root = temporarySkills({
		"project/skills/pdf/SKILL.md": skillMd("pdf", "Reads a pdf."),
		"project/skills/pdf/scripts/read.sh": '#!/bin/sh\ncat "$1"\n',
		"project/docs/a.txt": "contents\n",
		"home/.keep": "",
	});
	const cwd = join(root, "project");
	const run = (args: readonly string[], ...options: readonly string[]) =>
		cliInThread([...args, "--skills", "skills", "--backend", "bubblewrap", ...options], { cwd, env: { HOME: join(root, "home") } });
	const file = (path: string, text: string): void => {
		mkdirSync(join(root, path, ".."), { recursive: true });
		writeFileSync(join(root, path), text);
	};
	return { cwd, run, file };
}

const READ = ["skills", "run", "pdf", "read", "docs/a.txt"];

describe.skipIf(!hasBubblewrap)("a grant, where bubblewrap confines", () => {
	it("of the command line gives a public skill for once what it does not ask for, as far as the ceiling goes, and says so", () => {
		const { cwd, run } = project();
		const without = run(READ);
		expect(without).toMatchObject({ code: 1, stdout: "" });
		expect(without.stderr).toContain(
			"(skills.grants) or for once: skills run … --grant fs_read=DIR, run or mcp … --grant SKILL:fs_read=DIR.",
		);
		const granted = run(READ, "--grant", "fs_read=./docs", "--grant", "fs_write=./out");
		expect(granted).toMatchObject({ code: 0, stdout: "contents\n" });
		expect(granted.stderr).toContain(`granted: pdf gets reading ${cwd}/docs; at most 60 s, for this command\n`);
		expect(granted.stderr).toContain("not granted: to write ./out: nothing may be granted here; --allow-write raises the ceiling\n");
		const answer = run(["run", "read the pdf docs/a.txt"], "--grant", "pdf:fs_read=./docs");
		expect(answer.stdout).toContain("contents");
		expect(answer.stdout).toContain("granted  by --grant, in the place of what it asks for: nothing");
	}, 120_000);

	it("of the user's own file holds for every command that speaks of the skill; one in a project's file does not", () => {
		const { cwd, run, file } = project();
		const setting = (directory: string): string => `skills: { grants: { ${directory}: { fs_read: [./docs] } } }\n`;
		file("project/config/robot_lab.yml", setting(join(cwd, "skills/pdf")));
		const ignored = run(READ);
		expect(ignored).toMatchObject({ code: 1, stdout: "" });
		expect(ignored.stderr).toContain("only confine more: skills.grants (line 1)");
		file("home/.config/robot_lab/config.yml", setting(join(cwd, "skills/pdf")));
		expect(run(READ).stdout).toBe("contents\n");
		const [shown, explained] = [
			["skills", "show", "pdf"],
			["sandbox", "explain", "pdf"],
		].map((args) => run(args).stdout);
		for (const text of [shown, explained])
			expect(text).toMatch(/granted {2}by skills\.grants in .*config\.yml:1, in the place of what it asks for: nothing/);
		const record = JSON.parse(run(["skills", "show", "pdf"], "--json").stdout);
		expect(record).toMatchObject({ declared: { fsRead: ["./docs"] }, asked: { fsRead: [] }, grant: { fsRead: [join(cwd, "docs")] } });
		file("home/.config/robot_lab/config.yml", setting("~/skills/pdf"));
		expect(cliInThread(["skills", "list", "--skills", "skills"], { cwd, env: { HOME: join(cwd, "../home") } }).stderr).toContain(
			'skills.grants names "~/skills/pdf", and no skill lies there',
		);
	}, 120_000);
});

it.each([
	[["--grant", "fs_reed=./docs"], "There is nothing called fs_reed to grant. Did you mean fs_read?"],
	[["--grant", "pdf:fs_read=./docs"], "It takes a name and a value, e.g. fs_read=./docs."],
	[["--grant", "fs_read="], "fs_read takes a path"],
	[["--grant", "fs_read=.", "--no-sandbox"], "--no-sandbox that nothing confines it. Leave one of them out."],
])(
	"%j is wrong usage, and nothing runs",
	(options, message) => {
		const { cwd } = project();
		const { code, stdout, stderr } = cliInThread([...READ, "--skills", "skills", ...options], { cwd });
		expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
		expect(stderr).toContain(message);
	},
	120_000,
);
