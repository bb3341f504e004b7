import { join } from "node:path";
import { expect, it } from "vitest";
import { type CliRun, cliInThread } from "../run-cli.js";
import { skillMd, temporarySkills } from "../temporary-skills.js";

/** A home directory with skills of its own, and a cloned project in it, where the command is started. */
function places(files: Readonly<Record<string, string>> = {}) {
	const home = temporarySkills({
		".agents/skills/greet/SKILL.md": skillMd("greet", "Greets politely."),
		"cloned/.agents/skills/stripes/SKILL.md": skillMd("stripes", "Draws zebra stripes."),
		"cloned/.agents/skills/stripes/scripts/draw.sh": "#!/bin/sh\n# Draws zebra stripes.\necho black and white\n",
		"cloned/.claude/skills/greet/SKILL.md": skillMd("greet", "Greets as the project does."),
		...files,
	});
	const project = join(home, "cloned");
	const run = (...args: readonly string[]): CliRun => cliInThread(args, { cwd: project, env: { HOME: home } });
	return { home, project, run };
}

it("run --discover finds the project's skills once it is trusted, not before and not after, and says what to do", () => {
	const { project, run } = places();
	const robot = () => run("run", "draw zebra stripes", "--discover", "--json", "--model", "offline", "--no-sandbox");
	const untrusted = robot();
	expect(untrusted.stdout).not.toContain("stripes/");
	expect(untrusted.stdout).not.toContain("black and white");
	expect(untrusted.stderr).toContain(`run: robot-lab trust '${project}'`);
	expect(run("trust")).toMatchObject({
		code: 0,
		stdout: `Trusted: ${project}\nWhat counts of it from now on: .agents/skills, .claude/skills.\n`,
	});
	const trusted = robot();
	expect(trusted.stdout).toContain("black and white");
	expect(trusted.stderr).not.toContain("robot-lab trust");
	expect(run("trust", "--revoke")).toMatchObject({ code: 0, stdout: "Not trusted any more.\n" });
	expect(robot().stdout).not.toContain("black and white");
});

it("skills match and show --discover tell of the project whose skills they leave out", () => {
	const { project, run } = places();
	for (const args of [
		["match", "draw zebra stripes"],
		["show", "stripes"],
	])
		expect(run("skills", ...args, "--discover").stderr).toContain(`The skills in "${project}/.agents/skills" are not read`);
});

it("skills list --discover says which root each skill is from and what it hides", () => {
	const { home, project, run } = places();
	run("trust");
	const { stdout } = run("skills", "list", "--discover");
	expect(stdout.split("\n")).toEqual([
		`greet  ${project}/.claude/skills`,
		"  Greets as the project does.",
		`  hides ${home}/.agents/skills/greet`,
		`stripes  ${project}/.agents/skills`,
		"  Draws zebra stripes.",
		"",
	]);
	const { skills } = JSON.parse(run("skills", "list", "--discover", "--json").stdout);
	expect(skills[0]).toMatchObject({ root: `${project}/.claude/skills`, hides: [`${home}/.agents/skills/greet`] });
	expect(run("skills", "list").stderr).toContain("--discover");
});

it("trust --list has what is recorded and what the setting names; --revoke says where that is", () => {
	const { home, project, run } = places({ ".config/robot_lab/config.yml": `trusted_projects: ["~/cloned"]\n` });
	const file = join(home, ".config/robot_lab/config.yml");
	expect(run("trust", home).stderr).toContain("lies in");
	run("trust", join(project, ".agents"));
	expect(run("trust", "--list").stdout).toBe(`~/cloned  (trusted_projects in ${file}:1)\n${project}/.agents\n`);
	expect(JSON.parse(run("trust", "--list", "--json").stdout).projects).toHaveLength(2);
	expect(run("trust", "--revoke")).toMatchObject({ code: 1, stderr: expect.stringContaining(`${file}:1. Take it out there.`) });
	expect(run("trust", "--revoke", "--list").code).toBe(2);
	expect(run("trust", "nowhere")).toMatchObject({ code: 2, stderr: expect.stringContaining("is no directory") });
});
