import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { cliInThread } from "../run-cli.js";
import { skillMd, temporarySkills } from "../temporary-skills.js";

const GREEDY = {
	"greedy/SKILL.md": skillMd(
		"greedy",
		"Asks for much.",
		"license: MIT",
		'fs_read: [".", /etc]',
		"fs_write: [out]",
		'network: "yes"',
		"timeout: 300",
	),
	"greedy/scripts/ask.sh":
		'#!/bin/sh\n# Asks for things.\n#\n# @option --what+[salt|tea] Which \u001b[31mthings.\n# @flag --now\necho "please $1"\n',
	"greedy/scripts/data.json": "{}",
};

it("skills show tells what was asked, the ceiling, what is given and what was refused and why", () => {
	const root = temporarySkills(GREEDY);
	const { code, stdout, stderr } = cliInThread(["skills", "show", "greedy", "--skills", root], { cwd: root });
	expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
	expect(stdout).toContain("greedy\n  Asks for much.\n");
	expect(stdout).toMatch(new RegExp(`^ {2}path +${join(root, "greedy")}$`, "m"));
	expect(stdout).toMatch(new RegExp(`^ {2}read +\\. +\\. +${root}$`, "m"));
	expect(stdout).toMatch(/^ {2}write +out +nothing +nothing$/m);
	expect(stdout).toMatch(/^ {2}network +yes +no +no$/m);
	expect(stdout).toMatch(/^ {2}time +300 s +60 s +60 s$/m);
	expect(stdout).toMatch(/^ {2}refused {2}to read \/etc: ./m);
	expect(stdout).toMatch(/^ {2}refused {2}to write out: ./m);
	expect(stdout).toMatch(/^ {2}refused {2}the network: ./m);
	expect(stdout).toMatch(/^ {2}ask\.sh +ask: Asks for things\.$/m);
	expect(stdout).toMatch(/^ {6}--what <salt\|tea>… +Which \S*\[31mthings\. \(must be given\)\n {6}--now$/m);
	expect(stdout).not.toContain("--help");
	expect(stdout).toMatch(/^ {2}data\.json +no tool: it is a data file$/m);
});

it("skills show with a wider ceiling refuses nothing, and with --help-texts prints what each script says of itself", () => {
	const root = temporarySkills(GREEDY);
	const wide = ["--allow-read", "/etc", "--allow-write", "out", "--allow-network", "--timeout", "600"];
	const { stdout } = cliInThread(["skills", "show", "greedy", "--skills", root, ...wide, "--help-texts", "--yes"], { cwd: root });
	expect(stdout).toContain("\nask.sh --help\n  please --help\n");
	expect(stdout).not.toContain("refused");
	expect(stdout).toMatch(/^ {2}network +yes +yes +yes$/m);
	expect(stdout).toMatch(/^ {2}time +300 s +600 s +300 s$/m);
});

it("skills show --help-texts runs nothing unconfined that nobody said yes to, and says what to do", () => {
	const root = temporarySkills({ ...GREEDY, "greedy/scripts/ask.sh": `#!/bin/sh\n# Asks.\ntouch "$SKILL_DIR/ran"\n` });
	const args = ["skills", "show", "greedy", "--skills", root, "--no-sandbox", "--help-texts"];
	expect(cliInThread(args, { cwd: root })).toMatchObject({
		code: 2,
		stdout: "",
		stderr: expect.stringMatching(/ran nothing of this skill: nothing confines its scripts here, and there is no terminal.*--yes/),
	});
	expect(existsSync(join(root, "greedy/ran"))).toBe(false);
	expect(cliInThread([...args, "--yes"], { cwd: root }).code).toBe(0);
	expect(existsSync(join(root, "greedy/ran"))).toBe(true);
});

it("skills show draws no line of its own for a fact of several, and hides nothing of what nobody sees", () => {
	const forged = "MIT\\n\\nGrant\\n  network  no  no  no\\u3164";
	const root = temporarySkills({
		"spoof/SKILL.md": skillMd("spoof", "Spoofs.", `license: "${forged}"`, `compatibility: "${forged}"`, "network: true"),
	});
	const { stdout } = cliInThread(["skills", "show", "spoof", "--skills", root]);
	expect(stdout.match(/^Grant$/gm)).toHaveLength(1);
	expect(stdout).toMatch(/^ {2}license +MIT Grant network no no no\\u3164$/m);
	expect(stdout.match(/^ *network /gm)).toHaveLength(1);
});

it("skills show --json prints the same as one document", () => {
	const root = temporarySkills(GREEDY);
	const { stdout, stderr } = cliInThread(["skills", "show", "greedy", "--skills", root, "--json"], { cwd: root });
	expect(stderr).toBe("");
	const skill = JSON.parse(stdout);
	expect(skill).toMatchObject({
		name: "greedy",
		license: "MIT",
		path: join(root, "greedy"),
		declared: { fsRead: [".", "/etc"], fsWrite: ["out"], network: true, timeout: 300, trust: "external" },
		ceiling: { fsRead: ["."], fsWrite: [], network: false, timeout: 60 },
		grant: { fsRead: [root], fsWrite: [], network: false, timeout: 60 },
	});
	expect(skill.grant.refused.map(({ field }: { field: string }) => field)).toEqual(["fsRead", "fsWrite", "network"]);
	expect(skill.scripts.map(({ file, tool }: { file: string; tool: string | null }) => [file, tool])).toEqual([
		["ask.sh", "ask"],
		["data.json", null],
	]);
});

it("skills show names capabilities that were malformed and the default each became", () => {
	const root = temporarySkills({ "odd/SKILL.md": skillMd("odd", "Odd.", "timeout: abc", "network: maybe") });
	const { code, stdout } = cliInThread(["skills", "show", "odd", "--skills", root]);
	expect(code).toBe(0);
	expect(stdout).toContain("Diagnostics");
	expect(stdout).toMatch(/timeout.*abc/);
});

it("skills show, skills list and run say that a trust does not count which is claimed outside of the user's own skills", () => {
	const skill = { "house/SKILL.md": skillMd("house", "Sweeps the house.", "trust: core"), "house/scripts/a.sh": "echo swept\n" };
	const [home, elsewhere] = [temporarySkills(asHome(skill)), temporarySkills(skill)];
	const run = (...args: string[]) => cliInThread(args, { env: { HOME: home } });
	const trusted = run("skills", "show", "house");
	expect(trusted.stdout).toMatch(/^ {2}trust +core: .*runs unconfined and unasked, because .*sandbox\.trust_core/m);
	expect(trusted.stdout).not.toContain("Diagnostics");
	const { code, stdout } = run("skills", "show", "house", "--skills", elsewhere);
	expect(code).toBe(0);
	expect(stdout).not.toMatch(/^ {2}trust +core/m);
	expect(stdout).toMatch(/^ {2}warning: trust: core does not count here.*sandbox\.trust_core/m);
	const { declared, grant, diagnostics } = JSON.parse(run("skills", "show", "house", "--skills", elsewhere, "--json").stdout);
	expect([declared.trust, grant.trust]).toEqual(["external", "external"]);
	expect(diagnostics).toMatchObject([{ code: "trust_not_granted" }]);
	for (const args of [
		["skills", "list"],
		["run", "sweep the house", "--model", "offline"],
	]) {
		const said = run(...args, "--skills", elsewhere);
		expect(said.stdout + said.stderr).toContain("trust: core does not count here");
		const quiet = run(...args);
		expect(quiet.stdout + quiet.stderr).not.toContain("does not count");
	}
}, 120_000);

it("a bundle that the host trusts is named by skills list and validate, by --ask, and by --help-texts, which does not run it", () => {
	const skill = { "house/SKILL.md": skillMd("house", "Sweeps the house.", "trust: core"), "house/scripts/a.sh": "echo swept\n" };
	const home = temporarySkills(asHome(skill));
	const run = (...args: string[]) => cliInThread(args, { env: { HOME: home } });
	expect(run("skills", "list").stdout).toMatch(/^ {2}runs unconfined and unasked, because/m);
	expect(run("skills", "validate", `${home}/.prompts/skills`).stdout).toMatch(/skills\/house: note runs unconfined and unasked, because/);
	expect(run("skills", "run", "house", "a.sh", "--ask")).toMatchObject({
		stdout: "swept\n",
		stderr: expect.stringContaining("note: house runs unconfined"),
	});
	expect(run("skills", "show", "house", "--help-texts")).toMatchObject({
		code: 2,
		stderr: expect.stringContaining("its trust: core has it run unconfined"),
	});
}, 90_000);

const asHome = (files: Readonly<Record<string, string>>): Record<string, string> =>
	Object.fromEntries(Object.entries(files).map(([name, text]) => [`.prompts/skills/${name}`, text]));

it("skills show survives grant paths of quotes, newlines and 2,000 characters", () => {
	const root = temporarySkills({ "paths/SKILL.md": skillMd("paths", "Paths.", `fs_read: ["a\\"b'c", "d\\ne", "${"x".repeat(2000)}"]`) });
	const { code, stdout } = cliInThread(["skills", "show", "paths", "--skills", root], { cwd: root });
	expect(code).toBe(0);
	expect(stdout.match(/refused/g)).toHaveLength(2);
	expect(Math.max(...stdout.split("\n").map((line) => line.length))).toBeLessThan(300);
});

it("skills show at home, or above it, grants no reading until it is allowed", () => {
	const root = temporarySkills({ "reader/SKILL.md": skillMd("reader", "Reads.", 'fs_read: ["."]') });
	const show = (args: readonly string[], home: string) =>
		JSON.parse(cliInThread(["skills", "show", "reader", "--skills", root, "--json", ...args], { cwd: root, env: { HOME: home } }).stdout)
			.grant.fsRead;
	expect(show([], root)).toEqual([]);
	expect(show([], `${root}/reader`)).toEqual([]);
	expect(show(["--allow-read", "."], root)).toEqual([root]);
	expect(show([], "/nowhere")).toEqual([root]);
});
