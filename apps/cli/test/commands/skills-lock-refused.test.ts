import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { cliInThread } from "../run-cli.js";
import { skillMd, temporarySkills } from "../temporary-skills.js";

it("no lock is written of nothing, nor into a folder that is not there, and what to do is said", () => {
	const cwd = temporarySkills({ "skills/greet/SKILL.md": skillMd("greet", "Greets.") });
	mkdirSync(join(cwd, "empty"));
	const lock = (...options: readonly string[]) => cliInThread(["skills", "lock", "--skills", ...options], { cwd });
	expect(lock("empty")).toMatchObject({
		code: 1,
		stdout: "",
		stderr: expect.stringContaining(`No skill was found in ${cwd}/empty, and a lock of nothing`),
	});
	expect(existsSync(join(cwd, "skills-lock.json"))).toBe(false);
	expect(lock("skills", "--lock", "no/such/x.json")).toEqual({
		code: 1,
		stdout: "",
		stderr:
			"robot-lab: The lock no/such/x.json cannot be written: there is no folder no/such. Make the folder, or name another file with --lock FILE.\n",
	});
	expect(
		cliInThread(["skills", "show", "greet", "--skills", "skills", "--help-texts", "--yes", "--lock", "x.json"], { cwd }),
	).toMatchObject({
		code: 2,
		stdout: "",
		stderr: expect.stringContaining("There is no lock file"),
	});
}, 60_000);
