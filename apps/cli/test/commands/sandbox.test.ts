import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";
import { cli } from "../run-cli.js";
import { skillMd, temporarySkills } from "../temporary-skills.js";

const READER = { "reader/SKILL.md": skillMd("reader", "Reads.", 'fs_read: ["."]') };
const onMacos = process.platform === "darwin";

it("sandbox status says what confines, honestly, and the ceiling", () => {
	const { code, stdout, stderr } = cli(["sandbox", "status"]);
	expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
	expect(stdout).toMatch(/^ {2}enabled +yes$/m);
	expect(stdout).toMatch(onMacos ? /^ {2}confined +seatbelt$/m : /^ {2}confined +none: ./m);
	expect(stdout).toMatch(onMacos ? /reading files +yes/ : /reading files +no/);
	expect(stdout).toMatch(/^ {2}read +\.$/m);
});

it("sandbox status --json prints one document", () => {
	const { stdout, stderr } = cli(["sandbox", "status", "--json"]);
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
	expect(JSON.parse(cli(["sandbox", "status", "--no-sandbox", "--json"]).stdout)).toMatchObject({ enabled: false, strategy: "none" });
	expect(cli(["sandbox", "status", "--no-sandbox"]).stdout).toContain("--no-sandbox was given");
});

it("sandbox profile prints a deny-by-default profile on every platform and says where it applies", () => {
	const root = temporarySkills(READER);
	const { code, stdout, stderr } = cli(["sandbox", "profile", "reader", "--skills", root], { cwd: root });
	expect(code).toBe(0);
	expect(stdout).toMatch(/^\(version 1\)/m);
	expect(stdout).toContain("(deny default)");
	expect(stdout).toContain(root);
	if (!onMacos) expect(stderr).toContain("This is the profile macOS would use");
});

it("sandbox profile --json prints the profile and the grant it comes from as one document", () => {
	const root = temporarySkills(READER);
	const { stdout } = cli(["sandbox", "profile", "reader", "--skills", root, "--json", "--timeout", "5"], { cwd: root });
	expect(JSON.parse(stdout)).toMatchObject({ skill: "reader", grant: { fsRead: [root], timeout: 5 } });
	expect(JSON.parse(stdout).profile).toContain("(deny default)");
});

it("sandbox profile of a trusted skill says that it is not used", () => {
	const home = temporarySkills({ ".prompts/skills/house/SKILL.md": skillMd("house", "Ours.", "trust: core") });
	const profile = (...args: string[]): string => cli(["sandbox", "profile", "house", ...args], { env: { HOME: home } }).stderr;
	expect(profile()).toContain("runs unconfined");
	const elsewhere = temporarySkills({ "house/SKILL.md": skillMd("house", "Theirs.", "trust: core") });
	expect(profile("--skills", elsewhere)).not.toContain("runs unconfined");
});

it("sandbox profile --platform linux prints what bubblewrap is told, an option a line that a shell reads back", () => {
	const root = temporarySkills({ "it's/SKILL.md": skillMd("its", "Reads.", 'fs_read: ["."]') });
	const asked = ["sandbox", "profile", "its", "--skills", root];
	const { code, stdout, stderr } = cli([...asked, "--platform", "linux"], { cwd: root, env: { LANG: "a\nb", TZ: "it's" } });
	expect(code).toBe(0);
	expect(stderr).toContain("This is what bubblewrap would be told");
	expect(stdout).toContain(`--ro-bind ${root} ${root}\n`);
	const { arguments: args } = JSON.parse(
		cli([...asked, "--platform", "linux", "--json"], { cwd: root, env: { LANG: "a\nb", TZ: "it's" } }).stdout,
	);
	const words = spawnSync("bash", ["-c", `printf '%s\\0' ${stdout.replaceAll("\n", " ")}`], { encoding: "utf8" }).stdout.split("\0");
	expect(words.slice(0, -1)).toEqual(args);
	expect(stdout.split("\n").every((line) => line === "" || line.startsWith("--"))).toBe(true);
});

it.skipIf(process.platform !== "linux")("sandbox profile prints what bubblewrap is told where it is chosen (Linux)", () => {
	const root = temporarySkills(READER);
	const { stdout, stderr } = cli(["sandbox", "profile", "reader", "--skills", root, "--backend", "bubblewrap"], { cwd: root });
	expect(stdout).toMatch(/^--unshare-user\n/);
	expect(stderr).toBe("");
	const mac = cli(["sandbox", "profile", "reader", "--skills", root, "--backend", "bubblewrap", "--platform", "darwin"], { cwd: root });
	expect(mac.stdout).toContain("(deny default)");
});

it("sandbox status --backend says what was chosen or why it cannot be had, and never that something else confines", () => {
	const status = JSON.parse(cli(["sandbox", "status", "--backend", "bubblewrap", "--json"]).stdout);
	if (status.strategy === "bubblewrap") expect(status.enforced).toMatchObject({ fsRead: true, fsWrite: true, network: true });
	else expect(status).toMatchObject({ strategy: "none", reason: expect.stringMatching(/bubblewrap|bwrap/) });
});

it("sandbox status refuses a backend nobody knows, and one beside --no-sandbox", () => {
	expect(cli(["sandbox", "status", "--backend", "docker"])).toMatchObject({ code: 2, stderr: expect.stringContaining("bubblewrap") });
	expect(cli(["sandbox", "status", "--backend", "none", "--no-sandbox"])).toMatchObject({
		code: 2,
		stderr: expect.stringContaining("--backend"),
	});
});
