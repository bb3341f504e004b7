import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { cli } from "../run-cli.js";
import { skillMd, temporarySkills } from "../temporary-skills.js";

it("writes down what skills are, and says by name what is not so any more", () => {
	const cwd = temporarySkills({
		"skills/greet/SKILL.md": skillMd("greet", "Greets."),
		"skills/greet/scripts/greet.sh": "#!/bin/sh\n. scripts/lib/words.sh\n",
		"skills/greet/scripts/lib/words.sh": "WORD=hello\n",
		"skills/wave/SKILL.md": skillMd("wave", "Waves."),
	});
	const lock = (...options: readonly string[]) => cli(["skills", "lock", "--skills", "skills", ...options], { cwd });
	expect(lock()).toEqual({ code: 0, stdout: "2 skills are in skills-lock.json now.\n", stderr: "" });
	const written = readFileSync(join(cwd, "skills-lock.json"), "utf8");
	expect(Object.keys(JSON.parse(written).skills.greet.files)).toEqual(["SKILL.md", "scripts/greet.sh", "scripts/lib/words.sh"]);
	expect(lock("--check")).toEqual({ code: 0, stdout: "2 skills are what skills-lock.json says.\n", stderr: "" });
	writeFileSync(join(cwd, "skills/greet/scripts/lib/words.sh"), "WORD=gotcha\n");
	writeFileSync(join(cwd, "skills/greet/scripts/json.py\u001b[2J"), "");
	writeFileSync(join(cwd, "skills/wave/SKILL.md"), skillMd("waive", "Waives."));
	const { code, stdout, stderr } = lock("--check");
	expect({ code, stderr }).toEqual({ code: 1, stderr: "robot-lab: 3 skills are not what skills-lock.json says.\n" });
	expect(stdout).toBe(
		'wave: in the lock, and not there\ngreet: changed "scripts/lib/words.sh"; added "scripts/json.py\\u001b[2J"\nwaive: there, and not in the lock\n',
	);
	expect(JSON.parse(lock("--check", "--json").stdout).differences).toHaveLength(3);
	expect(readFileSync(join(cwd, "skills-lock.json"), "utf8")).toBe(written);
	const broken = temporarySkills({ "bad/SKILL.md": "---\nname: [\n---\n" });
	const lockBroken = (...options: readonly string[]) => cli(["skills", "lock", "--skills", ".", ...options], { cwd: broken });
	expect(JSON.parse(lockBroken("--json").stdout)).toMatchObject({ skills: {}, diagnostics: [{ severity: "error" }] });
	expect(lockBroken("--check")).toMatchObject({
		code: 1,
		stdout: "",
		stderr: expect.stringMatching(/^error: [\s\S]*What is broken was left out/),
	});
}, 120_000);
