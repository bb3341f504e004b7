import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { cli, cliInThread } from "../run-cli.js";
import { skillMd, temporarySkills } from "../temporary-skills.js";

/** Two public skills that ask for nothing, of which the user's own file grants one something for good. */
function project() {
	const root = temporarySkills({
		"project/skills/pdf/SKILL.md": skillMd("pdf", "Reads a pdf."),
		"project/skills/pdf/scripts/read.sh": '#!/bin/sh\ncat "$1"\n',
		"project/skills/web/SKILL.md": skillMd("web", "Fetches pages."),
		"project/docs/a.txt": "contents\n",
	});
	const cwd = join(root, "project");
	mkdirSync(join(root, "home/.config/robot_lab"), { recursive: true });
	const grants = `skills: { grants: { ${cwd}/skills/pdf: { fs_read: [./docs] } } }\n`;
	writeFileSync(join(root, "home/.config/robot_lab/config.yml"), grants);
	const run = (backend: string, args: readonly string[], start: typeof cliInThread = cliInThread) =>
		start([...args, "--skills", "skills", "--backend", backend], { cwd, env: { HOME: join(root, "home") } });
	return { cwd, run };
}

const hasBubblewrap: boolean =
	JSON.parse(cliInThread(["sandbox", "status", "--json", "--backend", "bubblewrap"]).stdout).strategy === "bubblewrap";

it("a grant for once names time and limits, what the ceiling keeps back of them, and that nothing confines where that is so", () => {
	const { run } = project();
	const grant = ["--grant", "limits.memory_mb=512", "--grant", "timeout=90"];
	const { stdout, stderr } = run("none", ["skills", "run", "pdf", "read", "docs/a.txt", ...grant]);
	expect(stdout).toBe("contents\n");
	expect(stderr).toMatch(/^granted: pdf gets nothing; at most 60 s; memoryMb 512, for this command, but nothing confines scripts here/m);
	expect(stderr).toContain("not granted: 90 s: the ceiling is 60 s; --timeout 90 raises the ceiling\n");
}, 60_000);

describe.skipIf(!hasBubblewrap)("where bubblewrap confines", () => {
	it("explain with a grant says what a script gets by it, and keeps nothing back below the ceiling", () => {
		const { run } = project();
		const { stdout, stderr } = run("bubblewrap", ["sandbox", "explain", "pdf", "--grant", "timeout=90", "--timeout", "90"]);
		expect(stderr).toBe("granted: pdf gets nothing; at most 90 s, for this command\n");
		expect(stdout).toContain("granted  by --grant, in the place of what it asks for: nothing; at most 60 s");
	}, 60_000);

	it("what the user's file grants is said to be from there, also beside a grant of the command line for another skill", () => {
		const { run } = project();
		const { stdout, stderr } = run("bubblewrap", ["run", "read the pdf docs/a.txt", "--grant", "web:timeout=5"]);
		expect(stderr).toContain("granted: web gets nothing; at most 5 s, for this command\n");
		expect(stdout).toMatch(/granted {2}by skills\.grants in .*config\.yml:1, in the place/);
	}, 60_000);

	it("a server grants by the names of skills, and says so where clients keep a log", () => {
		const { cwd, run } = project();
		const { code, stderr } = run("bubblewrap", ["mcp", "--grant", "web:fs_read=./docs"], cli);
		expect(code).toBe(0);
		expect(stderr).toContain(`granted: web gets reading ${cwd}/docs; at most 60 s, for this command\n`);
	}, 60_000);
});
