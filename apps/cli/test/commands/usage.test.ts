import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { cli, cliInThread } from "../run-cli.js";
import { temporarySkills } from "../temporary-skills.js";

it("--help lists every command on standard output and ends with 0", () => {
	const { code, stdout, stderr } = cli(["--help"]);
	expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
	for (const command of ["run", "skills", "sandbox"]) expect(stdout).toMatch(new RegExp(`^ {2}${command}`, "m"));
	expect(stdout).toContain("run [message] [options]");
	expect(stdout).toContain("Exit codes: 0 done, 1 the work failed, 2 wrong usage, 130 interrupted, 143 ended by SIGTERM.");
});

it("--version prints the version of the package", () => {
	const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
	expect(cli(["--version"])).toEqual({ code: 0, stdout: `${version}\n`, stderr: "" });
});

it.each([
	["nothing", [], "Usage: robot-lab"],
	["a group without a command", ["skills"], "Usage: robot-lab skills"],
	["an unknown command", ["rum", "hello"], "Did you mean run?"],
	["an unknown command of a group", ["skills", "lst"], "Did you mean list?"],
	["an unknown option", ["run", "hello", "--modle", "x"], "Did you mean --model?"],
	["an option that is nothing like one", ["skills", "list", "--zzzzzzzz"], "unknown option '--zzzzzzzz'"],
	["a script's option before --", ["skills", "run", "a", "b", "--top"], "arguments for a script go behind --"],
	["a missing argument", ["skills", "show"], "missing required argument 'name'"],
	["an argument too many", ["skills", "show", "a", "b"], "too many arguments"],
	["a timeout that is a word", ["run", "hello", "--timeout", "abc"], "'abc' is invalid. It takes a whole number of seconds"],
	["a timeout of 0", ["run", "hello", "--timeout", "0"], "'0' is invalid"],
	["a negative timeout", ["run", "hello", "--timeout", "-5"], "'-5' is invalid"],
	["a broken timeout", ["run", "hello", "--timeout", "1.5"], "'1.5' is invalid"],
	["a timeout of a year", ["run", "hello", "--timeout", "31536000"], "from 1 to 86400"],
	["a time limit without the sandbox that holds it", ["run", "hello", "--no-sandbox", "--timeout", "5"], "Leave one of them out"],
	["an option without its value", ["run", "hello", "--timeout"], "argument missing"],
	["an empty path", ["run", "hello", "--allow-read", ""], "A path must not be empty"],
	["no message", ["run"], "The message is missing"],
	["an empty message", ["run", " "], "The message is empty"],
	["an empty standard input", ["run", "-"], "Standard input held no message"],
	["an empty model", ["run", "hello", "--model", ""], "--model takes provider/id or offline"],
	["an unknown model", ["run", "hello", "--model", "antropic/claude"], "antropic/claude"],
	["a provider without a model", ["run", "hello", "--model", "openai/"], "openai"],
	["a folder that is not there", ["run", "hello", "--skills", "/nowhere/skills"], "There is no folder /nowhere/skills"],
	["a file for a folder", ["skills", "list", "--skills", "/dev/null"], "/dev/null is no folder"],
	["a message behind --skills", ["run", "--skills", "/", "show rows"], "What is none goes before --skills, or behind --"],
	[
		"a message behind --skills of match",
		["skills", "match", "--skills", "/", "show rows"],
		"write the message before --skills, or behind --",
	],
	["a skill behind --can", ["sandbox", "explain", "--can", "read .", "csv"], "write the skill before --can, or behind --"],
	[
		"a script's argument behind --skills",
		["skills", "run", "a", "b", "--skills", "/", "/dev/null"],
		"/dev/null is no folder. --skills takes every word behind it",
	],
	["a message behind --allow-read", ["run", "--allow-read", ".", "show rows"], "Write it before the options"],
	["an unknown skill", ["skills", "show", "nothing"], 'There is no skill "nothing"'],
])("%s is wrong usage: exit code 2, a clear line, nothing on standard output", (_, args, message) => {
	const { code, stdout, stderr } = cliInThread(args);
	expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
	expect(stderr).toContain(message);
	expect(stderr).not.toMatch(/^\s+at /m);
});

it("an unknown skill's error names the nearest ones, and all when none is near", () => {
	const root = temporarySkills({
		"log-report/SKILL.md": "---\nname: log-report\ndescription: reports\n---\n",
		"weather/SKILL.md": "---\nname: weather\ndescription: forecasts\n---\n",
	});
	expect(cliInThread(["skills", "show", "log-reprot", "--skills", root]).stderr).toContain("Did you mean log-report?");
	expect(cliInThread(["skills", "show", "zzzzzzzz", "--skills", root]).stderr).toContain("Known are log-report, weather.");
});

it("--skills given a skill itself names the folder above", () => {
	const root = temporarySkills({ "weather/SKILL.md": "---\nname: weather\ndescription: forecasts\n---\n" });
	const { code, stderr } = cliInThread(["skills", "list", "--skills", `${root}/weather`]);
	expect(code).toBe(2);
	expect(stderr).toContain(`the folder above it, ${root}.`);
});

it("a name of control characters and 5,000 letters cannot rewrite the terminal", () => {
	const { stderr } = cliInThread(["skills", "show", `\u001b[2J${"x".repeat(5000)}`]);
	expect(stderr).toContain("\\u001b[2J");
	expect(stderr.length).toBeLessThan(400);
});

it("--timeout takes whole seconds, and every command that runs or grants takes the ceiling's options", () => {
	const { code, stdout } = cliInThread([
		"sandbox",
		"status",
		"--json",
		"--timeout",
		"7",
		"--allow-read",
		"/etc",
		"/usr",
		"--allow-write",
		"/tmp",
		"--allow-network",
	]);
	expect(code).toBe(0);
	expect(JSON.parse(stdout).ceiling).toMatchObject({ fsRead: [".", "/etc", "/usr"], fsWrite: ["/tmp"], network: true, timeout: 7 });
});

// Linux alone has a device that is always full.
it.skipIf(process.platform !== "linux")("output that cannot be written ends with 1 and says so", () => {
	const { code, stderr } = cli(["sandbox", "status"], { stdout: "/dev/full" });
	expect(code).toBe(1);
	expect(stderr).toContain("Standard output cannot be written: ENOSPC");
});

it.each([
	[["skills", "list", "--skills", "."]],
	[["skills", "show", "weather", "--skills", "."]],
	[["skills", "match", "forecasts", "--json", "--skills", "."]],
	[["sandbox", "status", "--json"]],
	[["config", "show"]],
	[["run", "hello", "--modle", "x"]],
])("robot-lab %s says as a process of its own what it says in the tests' thread", (args) => {
	const cwd = temporarySkills({ "weather/SKILL.md": "---\nname: weather\ndescription: forecasts\nmodle: x\n---\n" });
	expect(cliInThread(args, { cwd })).toEqual(cli(args, { cwd }));
});
