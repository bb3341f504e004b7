import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { cliInThread } from "../run-cli.js";
import { skillMd, temporarySkills } from "../temporary-skills.js";

it("writes down what skills are, and says by name what is not so any more", () => {
	const cwd = temporarySkills({
		"skills/greet/SKILL.md": skillMd("greet", "Greets."),
		"skills/greet/scripts/greet.sh": "#!/bin/sh\n. scripts/lib/words.sh\n",
		"skills/greet/scripts/lib/words.sh": "WORD=hello\n",
		"skills/wave/SKILL.md": skillMd("wave", "Waves."),
	});
	const lock = (...options: readonly string[]) => cliInThread(["skills", "lock", "--skills", "skills", ...options], { cwd });
	expect(lock()).toEqual({ code: 0, stdout: `2 skills are in skills-lock.json now (from ${cwd}/skills).\n`, stderr: "" });
	const written = readFileSync(join(cwd, "skills-lock.json"), "utf8");
	expect(JSON.parse(written).roots).toEqual(["skills"]);
	expect(Object.keys(JSON.parse(written).skills.greet.files)).toEqual(["SKILL.md", "scripts/greet.sh", "scripts/lib/words.sh"]);
	// it looks where the lock is from, wherever skills are looked for by default
	expect(cliInThread(["skills", "lock", "--check"], { cwd })).toEqual({
		code: 0,
		stdout: "2 skills are what skills-lock.json says.\n",
		stderr: "",
	});
	writeFileSync(join(cwd, "skills/greet/scripts/lib/words.sh"), "WORD=gotcha\n");
	writeFileSync(join(cwd, "skills/greet/scripts/json.py\u001b[2J"), "");
	writeFileSync(join(cwd, "skills/wave/SKILL.md"), skillMd("waive", "Waives."));
	const { code, stdout, stderr } = lock("--check");
	expect({ code, stderr }).toEqual({
		code: 1,
		stderr: `robot-lab: 3 skills are not what skills-lock.json says. Looked in ${cwd}/skills. If that is right, lock it anew: robot-lab skills lock; other folders are named with --skills DIR.\n`,
	});
	expect(stdout).toBe(
		'wave: in the lock, and not there\ngreet: changed "scripts/lib/words.sh"; added "scripts/json.py\\u001b[2J"\nwaive: there, and not in the lock\n',
	);
	expect(JSON.parse(lock("--check", "--json").stdout).differences).toHaveLength(3);
	expect(readFileSync(join(cwd, "skills-lock.json"), "utf8")).toBe(written);
	const broken = temporarySkills({ "bad/SKILL.md": "---\nname: [\n---\n" });
	const lockBroken = (...options: readonly string[]) => cliInThread(["skills", "lock", "--skills", ".", ...options], { cwd: broken });
	const { code: brokenCode, stdout: document } = lockBroken("--json");
	expect(brokenCode).toBe(1);
	expect(JSON.parse(document)).toMatchObject({ skills: {}, diagnostics: [{ severity: "error" }] });
	expect(lockBroken("--check")).toMatchObject({
		code: 1,
		stdout: "",
		stderr: expect.stringMatching(/^error: [\s\S]*What is broken was left out/),
	});
}, 120_000);

it("adds other folders and keeps what the lock has, and says what it changes", () => {
	const cwd = temporarySkills({
		"skills/greet/SKILL.md": skillMd("greet", "Greets."),
		"skills/wave/SKILL.md": skillMd("wave", "Waves."),
		"other/nod/SKILL.md": skillMd("nod", "Nods."),
	});
	const lock = (...options: readonly string[]) => cliInThread(["skills", "lock", ...options], { cwd });
	const names = () => Object.keys(JSON.parse(readFileSync(join(cwd, "skills-lock.json"), "utf8")).skills);
	lock("--skills", "skills");
	expect(lock("--skills", "other").stdout).toBe(
		`nod: new\n1 skill is in skills-lock.json now (from ${cwd}/other). 2 that were not found there stay as they were; without --skills all folders of the lock are looked at, and what is gone is taken out.\n`,
	);
	expect(names()).toEqual(["greet", "nod", "wave"]);
	expect(lock("--check", "--skills", "other")).toMatchObject({ code: 0, stdout: "1 skill is what skills-lock.json says.\n" });
	rmSync(join(cwd, "skills/wave"), { recursive: true });
	writeFileSync(join(cwd, "skills/greet/more"), "");
	expect(lock().stdout).toBe(
		`wave: taken out, because it is not there any more\ngreet: added "more"\n2 skills are in skills-lock.json now (from ${cwd}/other, ${cwd}/skills).\n`,
	);
	expect(names()).toEqual(["greet", "nod"]);
}, 120_000);

/** A lock of skills/, and beside it the user's own folder, of which that lock knows nothing. */
function locked() {
	const script = (word: string): string => `#!/bin/sh\necho ${word}\n`;
	const cwd = temporarySkills({
		"skills/greet/SKILL.md": skillMd("greet", "Greets people."),
		"skills/greet/scripts/greet.sh": script("hello"),
		"own/nod/SKILL.md": skillMd("nod", "Nods."),
		"own/nod/scripts/nod.sh": script("nods"),
	});
	const run = (skill: string, ...options: readonly string[]) =>
		cliInThread(["skills", "run", skill, `${skill}.sh`, "--skills", "skills", "--skills", "own", "--no-sandbox", ...options], { cwd });
	return { cwd, run };
}

it("holds in runs: what is not as the lock says does not run, nor what was added or renamed where all is locked; what lies elsewhere does", () => {
	const { cwd, run } = locked();
	// the control: without a lock everything runs
	expect(run("greet").stdout).toBe("hello\n");
	cliInThread(["skills", "lock", "--skills", "skills"], { cwd });
	expect([run("greet"), run("nod")].map(({ code, stdout }) => [code, stdout])).toEqual([
		[0, "hello\n"],
		[0, "nods\n"],
	]);
	writeFileSync(join(cwd, "skills/greet/scripts/greet.sh"), "#!/bin/sh\ntouch evil\n");
	expect(run("greet")).toMatchObject({
		code: 1,
		stdout: "",
		stderr: expect.stringMatching(
			/"greet" is not what the lock says: changed "scripts\/greet\.sh"\. .*lock it anew: robot-lab skills lock\. Nothing was run\./,
		),
	});
	const answer = cliInThread(["run", "greet people", "--yes", "--skills", "skills", "--no-sandbox"], { cwd });
	expect(`${answer.stdout}${answer.stderr}`).toContain("is not what the lock says");
	writeFileSync(join(cwd, "skills/greet/SKILL.md"), skillMd("greets", "Greets people."));
	writeFileSync(join(cwd, "skills/greet/scripts/greets.sh"), "#!/bin/sh\ntouch evil\n", { mode: 0o755 });
	expect(run("greets").stderr).toContain('"greets" is not in the lock');
	expect(existsSync(join(cwd, "evil"))).toBe(false);
}, 120_000);

it("--locked runs nothing without a lock and nothing that is not in it; a lock that cannot be read is no missing one", () => {
	const { cwd, run } = locked();
	expect(run("nod", "--locked")).toMatchObject({
		code: 2,
		stdout: "",
		stderr: expect.stringContaining("Write one: robot-lab skills lock"),
	});
	cliInThread(["skills", "lock", "--skills", "skills", "--lock", "my.json"], { cwd });
	expect(run("nod", "--lock", "my.json").code).toBe(0);
	expect(run("nod", "--lock", "my.json", "--locked")).toMatchObject({
		code: 1,
		stderr: expect.stringContaining('"nod" is not in the lock'),
	});
	expect(run("greet", "--lock", "my.json", "--locked").stdout).toBe("hello\n");
	writeFileSync(join(cwd, "skills-lock.json"), "{}");
	expect(run("greet")).toMatchObject({
		code: 2,
		stdout: "",
		stderr: expect.stringContaining("Look at it, and remove it if it is not yours"),
	});
}, 120_000);
