import { spawnSync } from "node:child_process";
import { rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { cliInThread } from "../run-cli.js";
import { skillMd, temporarySkills } from "../temporary-skills.js";

const READER = { "reader/SKILL.md": skillMd("reader", "Reads.", 'fs_read: ["."]') };
const bubblewrap = JSON.parse(cliInThread(["sandbox", "status", "--backend", "bubblewrap", "--json"]).stdout);
/** Why nothing is run under bubblewrap here; `undefined` where scripts are. */
const noBubblewrap: string | undefined = bubblewrap.enforced.fsRead ? undefined : bubblewrap.reason;
const onMacos = process.platform === "darwin";

it("sandbox status says what confines, honestly, and the ceiling", () => {
	const { code, stdout, stderr } = cliInThread(["sandbox", "status"]);
	expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
	expect(stdout).toMatch(/^ {2}enabled +yes$/m);
	expect(stdout).toMatch(onMacos ? /^ {2}confined +seatbelt$/m : /^ {2}confined +none: ./m);
	expect(stdout).toMatch(onMacos ? /reading files +yes/ : /reading files +no/);
	expect(stdout).toMatch(/^ {2}read +\.$/m);
	expect(stdout).toMatch(/^ {2}limits +none$/m);
});

it("sandbox status --json prints one document", () => {
	const { stdout, stderr } = cliInThread(["sandbox", "status", "--json"]);
	expect(stderr).toBe("");
	expect(JSON.parse(stdout)).toMatchObject({
		platform: process.platform,
		installed: true,
		enabled: true,
		strategy: onMacos ? "seatbelt" : "none",
		enforced: { fsRead: onMacos, network: onMacos },
	});
});

it("sandbox status --no-sandbox says that it is off, and by what", () => {
	expect(JSON.parse(cliInThread(["sandbox", "status", "--no-sandbox", "--json"]).stdout)).toMatchObject({
		enabled: false,
		strategy: "none",
	});
	expect(cliInThread(["sandbox", "status", "--no-sandbox"]).stdout).toContain("--no-sandbox was given");
});

it("sandbox profile prints a deny-by-default profile on every platform and says where it applies", () => {
	const root = temporarySkills(READER);
	const { code, stdout, stderr } = cliInThread(["sandbox", "profile", "reader", "--skills", root], { cwd: root });
	expect(code).toBe(0);
	expect(stdout).toMatch(/^\(version 1\)/m);
	expect(stdout).toContain("(deny default)");
	expect(stdout).toContain(root);
	if (!onMacos) expect(stderr).toContain("This is the profile macOS would use");
});

it("sandbox profile --json prints the profile and the grant it comes from as one document", () => {
	const root = temporarySkills(READER);
	const { stdout } = cliInThread(["sandbox", "profile", "reader", "--skills", root, "--json", "--timeout", "5"], { cwd: root });
	expect(JSON.parse(stdout)).toMatchObject({ skill: "reader", grant: { fsRead: [root], timeout: 5 } });
	expect(JSON.parse(stdout).profile).toContain("(deny default)");
});

it("sandbox profile of a trusted skill says that it is not used", () => {
	const home = temporarySkills({ ".prompts/skills/house/SKILL.md": skillMd("house", "Ours.", "trust: core") });
	const profile = (...args: string[]): string => cliInThread(["sandbox", "profile", "house", ...args], { env: { HOME: home } }).stderr;
	expect(profile()).toContain("runs unconfined");
	const elsewhere = temporarySkills({ "house/SKILL.md": skillMd("house", "Theirs.", "trust: core") });
	expect(profile("--skills", elsewhere)).not.toContain("runs unconfined");
});

it("sandbox profile --platform linux prints what bubblewrap is told, an option a line that a shell reads back", () => {
	const root = temporarySkills({ "it's/SKILL.md": skillMd("its", "Reads.", 'fs_read: ["."]') });
	const asked = ["sandbox", "profile", "its", "--skills", root];
	const { code, stdout, stderr } = cliInThread([...asked, "--platform", "linux"], { cwd: root, env: { LANG: "a\nb", TZ: "it's" } });
	expect(code).toBe(0);
	expect(stderr).toContain("This is what bubblewrap would be told");
	expect(stdout).toContain(`--ro-bind ${root} ${root}\n`);
	const { arguments: args } = JSON.parse(
		cliInThread([...asked, "--platform", "linux", "--json"], { cwd: root, env: { LANG: "a\nb", TZ: "it's" } }).stdout,
	);
	const words = spawnSync("bash", ["-c", `printf '%s\\0' ${stdout.replaceAll("\n", " ")}`], { encoding: "utf8" }).stdout.split("\0");
	expect(words.slice(0, -1)).toEqual(args);
	expect(stdout.split("\n").every((line) => line === "" || line.startsWith("--"))).toBe(true);
});

it.skipIf(process.platform !== "linux")("sandbox profile prints what bubblewrap is told where it is chosen (Linux)", () => {
	const root = temporarySkills(READER);
	const { stdout, stderr } = cliInThread(["sandbox", "profile", "reader", "--skills", root, "--backend", "bubblewrap"], { cwd: root });
	expect(stdout).toMatch(/^--unshare-user\n/);
	expect(stderr).toBe("The temporary directory that ends in XXXXXX here has another name in each run.\n");
	const mac = cliInThread(["sandbox", "profile", "reader", "--skills", root, "--backend", "bubblewrap", "--platform", "darwin"], {
		cwd: root,
	});
	expect(mac.stdout).toContain("(deny default)");
});

it("sandbox status --backend says what was chosen or why it cannot be had, and never that something else confines", () => {
	const status = JSON.parse(cliInThread(["sandbox", "status", "--backend", "bubblewrap", "--json"]).stdout);
	if (status.strategy === "bubblewrap") expect(status.enforced).toMatchObject({ fsRead: true, fsWrite: true, network: true });
	else expect(status).toMatchObject({ strategy: "none", reason: expect.stringMatching(/bubblewrap|bwrap/) });
});

it("sandbox status refuses a backend nobody knows, and one beside --no-sandbox", () => {
	expect(cliInThread(["sandbox", "status", "--backend", "docker"])).toMatchObject({
		code: 2,
		stderr: expect.stringContaining("bubblewrap"),
	});
	expect(cliInThread(["sandbox", "status", "--backend", "none", "--no-sandbox"])).toMatchObject({
		code: 2,
		stderr: expect.stringContaining("--backend"),
	});
});

const WRITER = { "writer/SKILL.md": skillMd("writer", "Writes.", "fs_write: out"), "out/own": "", "trusted/own": "" };

it.each(["darwin", "linux"])(
	"sandbox profile refuses what a run would refuse: a grant to write where bundles are trusted (%s)",
	(platform) => {
		const root = temporarySkills(WRITER);
		const asked = ["sandbox", "profile", "writer", "--skills", root, "--platform", platform, "--allow-write", "out"];
		const profile = (trusted: string) => {
			const home = temporarySkills({ ".prompts/skills/own": "" });
			rmSync(join(home, ".prompts/skills"), { recursive: true });
			symlinkSync(join(root, trusted), join(home, ".prompts/skills"));
			return cliInThread(asked, { cwd: root, env: { HOME: home } });
		};
		const refused = profile("out");
		expect(refused).toMatchObject({ code: 1, stdout: "" });
		expect(refused.stderr).toContain("invalid_grant: ");
		expect(refused.stderr).toContain("sandbox.trustCore");
		// Control: trusted is another directory.
		expect(profile("trusted")).toMatchObject({ code: 0, stdout: expect.stringContaining(join(root, "out")) });
	},
);

it.skipIf(noBubblewrap !== undefined)(`sandbox profile prints what a run has (${noBubblewrap ?? "bubblewrap works here"})`, () => {
	const root = temporarySkills({
		...READER,
		"reader/scripts/show.sh": '#!/bin/bash\necho "$(pwd)|$SKILL_DIR|$WORK_DIR|$TMPDIR|$LANG|$PATH"\n',
	});
	const asked = ["reader", "--skills", root, "--backend", "bubblewrap"];
	const env = { LANG: "en_GB.UTF-8" };
	const { arguments: args } = JSON.parse(cliInThread(["sandbox", "profile", ...asked, "--json"], { cwd: root, env }).stdout);
	const variable = (name: string): string => args[args.indexOf(name, args.indexOf("--setenv")) + 1];
	const cwd = args[args.lastIndexOf("--chdir") + 1];
	const text = [cwd, ...["SKILL_DIR", "WORK_DIR", "TMPDIR", "LANG", "PATH"].map(variable)].join("|");
	expect(args.join(" ")).toContain(`--bind ${variable("TMPDIR")} ${variable("TMPDIR")}`);
	const run = cliInThread(["skills", "run", "reader", "show.sh", ...asked.slice(1)], { cwd: root, env });
	expect(run.stdout.trim().replace(/(robot-lab-run-)\w{6}/, "$1XXXXXX")).toBe(text);
});
