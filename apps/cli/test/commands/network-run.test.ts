import { chmodSync } from "node:fs";
import { join } from "node:path";
import { NetworkProjection, type StreamEvent } from "@robot-lab/core";
import { expect, it } from "vitest";
import { modelServer } from "../model-server.js";
import { type CliRun, cli, cliInThread, ended, startCli, stranger } from "../run-cli.js";
import { NAP, skillsOf, temporaryNetwork } from "../temporary-network.js";

const ROBOTS = "name: lab\nrobots: { r: {} }\ntasks:\n";

/** Runs the network of these tasks to its end. */
function run(tasks: string, args: readonly string[], files: Readonly<Record<string, string>> = {}): CliRun {
	return cliInThread(["network", "run", "lab.yaml", ...args], { cwd: temporaryNetwork(`${ROBOTS}${tasks}`, files) });
}

/** The same with a robot `lost`, whose model's server is not there. */
function runLost(tasks: string, args: readonly string[] = []): CliRun {
	const yaml = `name: lab\nrobots: { r: {}, lost: { model: openai-compatible/m, retries: 0 } }\ntasks:\n${tasks}`;
	const env = { OPENAI_COMPATIBLE_BASE_URL: "http://127.0.0.1:1/v1" };
	return cliInThread(["network", "run", "lab.yaml", "Hello", ...args], { cwd: temporaryNetwork(yaml), env });
}

/** What `--json` printed: whole events without gaps, and the result behind them. */
function logOf(stdout: string) {
	const lines = stdout
		.trimEnd()
		.split("\n")
		.map((line) => JSON.parse(line));
	const log: readonly StreamEvent[] = lines.slice(0, -1);
	expect(log.map(({ sequenceNumber }) => sequenceNumber)).toEqual(log.map((_, index) => index + 1));
	expect(log.at(-1)?.event).toBe("stream.ended");
	return { log, result: lines.at(-1).result };
}

/** Resolves with all that was printed once a command that was started is over. */
async function printedBy(child: ReturnType<typeof startCli>) {
	let stdout = "";
	let stderr = "";
	child.stdout?.setEncoding("utf8").on("data", (chunk: string) => {
		stdout += chunk;
	});
	child.stderr?.setEncoding("utf8").on("data", (chunk: string) => {
		stderr += chunk;
	});
	return { code: await ended(child), stdout, stderr };
}

it("network run in a pipe has a line where a task begins and where it ends, and the answer", () => {
	const { code, stdout } = run("  a: { robot: r }\n  b: { robot: r, depends_on: optional }\n  c: { robot: r, depends_on: [a, b] }", [
		"Hello",
	]);
	expect(code).toBe(0);
	expect(stdout.replaceAll(/[\d.]+ m?s\b/g, "n ms")).toMatch(
		new RegExp(
			[
				"^Network {3}lab \\(3 tasks\\)",
				"Model {5}offline \\(no model is configured; --model provider/id chooses one\\)",
				"Skipped {3}b",
				"Started {3}a",
				"Done {6}a in n ms",
				"Started {3}c",
				"Done {6}c in n ms",
				"",
				"Result of a",
				"offline: no language model was used.*",
				"",
				"Answer",
				"offline: no language model was used.*",
				"",
				"Done in n ms: 0 tool calls\\.",
				"$",
			].join("\n"),
		),
	);
	// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not be there
	expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
});

it("network run --json prints the run's events and the result as the last line, from which the network is drawn again", () => {
	const { code, stdout, stderr } = run("  a: { robot: r }\n  c: { robot: r, depends_on: [a] }", ["-", "--json"]);
	expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
	expect(stderr).toContain("Standard input held no message");
	const cwd = temporaryNetwork(`${ROBOTS}  a: { robot: r }\n  c: { robot: r, depends_on: [a] }`);
	const read = cli(["network", "run", "lab.yaml", "-", "--json"], { cwd, stdin: "Hello\n" });
	expect(read.code).toBe(0);
	expect(read.stderr).toContain("No model is configured");
	const { log, result } = logOf(read.stdout);
	expect(log[0]).toMatchObject({ event: "run.started", data: { scope: "network", name: "lab", input: "Hello\n" } });
	expect(result).toMatchObject({ network: "lab", status: "done", tasks: { a: { state: "done" }, c: { state: "done" } } });
	const projection = new NetworkProjection();
	for (const event of log) projection.observe(event);
	expect(projection.outcomes).toMatchObject({ a: { state: "done" }, c: { state: "done" } });
});

it("network run with a task that fails ends with 1, says which and why, and prints what the others came to", () => {
	const tasks = ["  good: { robot: r }", "  bad: { robot: lost, depends_on: [good] }", "  after: { robot: r, depends_on: [bad] }"].join(
		"\n",
	);
	const { code, stdout, stderr } = runLost(tasks);
	expect(code).toBe(1);
	expect(stdout).toMatch(/^Failed {4}bad after .*: \S.*$/m);
	expect(stdout).toMatch(/^Blocked {3}after$|^Cancelled after$/m);
	expect(stdout).toMatch(/^Result of good\noffline: /m);
	expect(stdout).not.toMatch(/^Answer$/m);
	expect(stdout).toMatch(/\nFailed after .*: 0 tool calls\.\n$/);
	expect(stderr).toMatch(/^robot-lab: The task "bad" failed: \S/m);
	const json = runLost(tasks, ["--json"]);
	expect(json.code).toBe(1);
	expect(logOf(json.stdout).result).toMatchObject({
		status: "failed",
		tasks: { bad: { state: "failed", error: { code: "inference" } } },
	});
});

it("network run looks before anything runs at what --context gives: what is missing, and what no text uses", () => {
	const tasks = "  a: { robot: r }\n  b: { robot: r, input: 'in {{context.language}}', depends_on: [a] }";
	const missing = run(tasks, ["Hello"]);
	expect({ code: missing.code, stdout: missing.stdout }).toEqual({ code: 2, stdout: "" });
	expect(missing.stderr).toContain("lab.yaml, line 5: tasks.b.input needs context.language.");
	expect(missing.stderr).toContain("--context language=…");
	const mistyped = run(tasks, ["Hello", "--context", "langage=x"]);
	expect({ code: mistyped.code, stdout: mistyped.stdout }).toEqual({ code: 2, stdout: "" });
	expect(mistyped.stderr).toContain('the file has no text that uses context.langage. Did you mean "language"?');
	expect(run(tasks, ["Hello", "--context", "language=x"]).code).toBe(0);
});

it("network run blames --model for what is no model, and says what is not installed before anything runs", () => {
	const tasks = "  a: { robot: r }";
	const none = run(tasks, ["Hello", "--model", "foo/bar"]);
	expect({ code: none.code, stdout: none.stdout }).toEqual({ code: 2, stdout: "" });
	expect(none.stderr).toContain('robot-lab: --model cannot be used: Unknown model "foo/bar".');
	const missing = run(tasks, ["Hello", "--model", "google/gemini"]);
	expect({ code: missing.code, stdout: missing.stdout }).toEqual({ code: 1, stdout: "" });
	expect(missing.stderr).toContain('robot-lab: The model "google/gemini" needs the package @ai-sdk/google, which is not installed.');
	const server = run(tasks, ["Hello", "--model", "openai-compatible/m"]);
	expect({ code: server.code, stdout: server.stdout }).toEqual({ code: 2, stdout: "" });
});

it("network run says of a task that its fallback did it, and after what", () => {
	const tasks = "  a: { robot: lost, fallback: 'Not today.' }\n  b: { robot: r, depends_on: [a] }";
	const { code, stdout } = runLost(tasks);
	expect(code).toBe(0);
	expect(stdout).toMatch(/^Done {6}a in [\d.]+ m?s, by its fallback, after: \S.*$/m);
	expect(stdout).toMatch(/^Done {6}b in [\d.]+ m?s$/m);
	expect(stdout).toMatch(/^Result of a\nNot today\.$/m);
});

it("network run says once for each task what its robot goes on without, whose it is and with which model", async () => {
	const { args, env } = await modelServer((request) => [{ content: `Answer ${request}` }]);
	const yaml = "name: lab\nrobots: { r: { top_k: 3 } }\ntasks:\n  a: { robot: r }\n  b: { robot: r, depends_on: [a] }";
	const { code, stderr } = await printedBy(startCli(["network", "run", "lab.yaml", "Go", ...args], { cwd: temporaryNetwork(yaml), env }));
	expect(code).toBe(0);
	expect(stderr.trimEnd().split("\n")).toEqual([
		expect.stringMatching(/^warning: a \(robot r with openai-compatible\S*\/m\): The model does not take /),
		expect.stringMatching(/^warning: b \(robot r with openai-compatible\S*\/m\): The model does not take /),
	]);
});

it("network run shows of a long result its first lines, and of the answer all", async () => {
	const long = Array.from({ length: 14 }, (_, place) => `line ${place}`).join("\n");
	const { args, env } = await modelServer(() => [{ content: long }]);
	const cwd = temporaryNetwork(`${ROBOTS}  a: { robot: r }\n  b: { robot: r, depends_on: [a] }`);
	const { stdout } = await printedBy(startCli(["network", "run", "lab.yaml", "Go", ...args], { cwd, env }));
	expect(stdout).toContain("\nResult of a\nline 0\nline 1\n");
	expect(stdout).toContain("\nline 9\n… 4 more lines; --json has all\n\nAnswer\nline 0\n");
	expect(stdout).not.toContain("Result of b");
	expect(stdout).toContain("line 13\n\nDone in ");
});

it("network run --context fills in the texts of the file, and a value may hold =", () => {
	const tasks = "  a: { robot: r, next: [{ halt: '{{message}} in {{context.language}}, {{context.__proto__}}' }] }";
	const { code, stdout } = run(tasks, ["Hello", "--context", "language=a=b", "--context", "__proto__=none"]);
	expect(code).toBe(0);
	expect(stdout).toMatch(/\nAnswer\nHello in a=b, none\n\nHalted after /);
});

it("network run confines scripts as run does, and says of each call whose it was and how it was confined", () => {
	const yaml = "name: lab\nrobots: { sleeper: { skills: [nap] } }\ntasks: { rest: { robot: sleeper } }";
	const cwd = temporaryNetwork(yaml, { ...NAP, go: "" });
	const { code, stdout, stderr } = cliInThread(["network", "run", "lab.yaml", "Take a nap", "--model", "offline", ...skillsOf(cwd)], {
		cwd,
	});
	expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
	expect(stdout).toMatch(/^Grant +nap\n +asked +ceiling +given$/m);
	expect(stdout).toMatch(/^Task {6}rest\nCall {6}nap__nap.*\nConfined .*\nScript {4}ran for .*\n\nDone {6}rest in /m);
	expect(stdout).toMatch(/\nAnswer\n[\s\S]*well rested[\s\S]*: 1 tool call\.\n$/);
	const free = cliInThread(["network", "run", "lab.yaml", "Take a nap", "--no-sandbox", ...skillsOf(cwd)], { cwd });
	expect(free.stdout).toMatch(/^Confined +none: --no-sandbox was given/m);
});

it("network run of an answer that may be cut ends with 1 and says so", () => {
	const yaml = "name: lab\nrobots: { sleeper: { skills: [nap], max_tool_rounds: 0 } }\ntasks: { rest: { robot: sleeper } }";
	const cwd = temporaryNetwork(yaml, { ...NAP, go: "" });
	const { code, stderr } = cliInThread(["network", "run", "lab.yaml", "Take a nap", ...skillsOf(cwd)], { cwd });
	expect(code).toBe(1);
	expect(stderr).toContain('The task "rest" ended early (tool_limit); its answer may be cut.');
});

it.each([
	["no message", `${ROBOTS}  a: { robot: r }`, [], "The message is missing. Write it before the options (robot-lab network run FILE"],
	["YAML that is none", "name: [", ["x"], "lab.yaml, line 1: is no valid YAML"],
	["a cycle", `${ROBOTS}  a: { robot: r, depends_on: [b] }\n  b: { robot: r, depends_on: [a] }`, ["x"], '"a" waits for "b" waits for "a"'],
	["an unknown template", "name: lab\nrobots: { r: { template: t } }\ntasks: { a: { robot: r } }", ["x"], 'There is no template "t" in'],
	[
		"a context without a value",
		`${ROBOTS}  a: { robot: r }`,
		["x", "--context", "language"],
		"It takes a name and a value, e.g. --context language=German.",
	],
	["a context twice", `${ROBOTS}  a: { robot: r }`, ["x", "--context", "a=b", "--context", "a=c"], "That name was given before."],
])("network run with %s is wrong usage: exit code 2, a clear line, nothing on standard output", (_, yaml, args, message) => {
	const { code, stdout, stderr } = cliInThread(["network", "run", "lab.yaml", ...args], { cwd: temporaryNetwork(yaml) });
	expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
	expect(stderr).toContain(message);
	expect(stderr).not.toMatch(/^\s+at /m);
});

it("a network that is not there, or is a folder, and a format that is none are wrong usage", () => {
	for (const command of ["show", "run"]) {
		const missing = cliInThread(["network", command, "/nowhere/lab.yaml", ...(command === "run" ? ["x"] : [])]);
		expect({ code: missing.code, stdout: missing.stdout }).toEqual({ code: 2, stdout: "" });
		expect(missing.stderr).toContain('The network "/nowhere/lab.yaml" cannot be read: there is no such file.');
	}
	expect(cliInThread(["network", "show", "/"]).stderr).toContain("it is no file. Name a YAML file.");
	expect(cliInThread(["network", "show", "lab.yaml", "--format", "png"]).stderr).toContain(
		"Allowed choices are tree, mermaid, dot, plan, json.",
	);
});

it.skipIf(stranger === undefined)("a network that may not be read is work that failed", () => {
	const file = join(temporaryNetwork(`${ROBOTS}  a: { robot: r }`), "lab.yaml");
	chmodSync(file, 0o000);
	const forbidden = cli(["network", "show", file], stranger);
	expect({ code: forbidden.code, stdout: forbidden.stdout }).toEqual({ code: 1, stdout: "" });
	expect(forbidden.stderr).toContain("EACCES");
});

it.each([
	["in plain lines", []],
	["in JSON lines", ["--json"]],
])("an interrupt stops the tasks, prints what was done %s, and ends with 130", async (_, more) => {
	const { args, env } = await modelServer(async function* (request) {
		yield { content: request === 1 ? "It is done." : "Let me think" };
		if (request > 1) await new Promise(() => {});
	});
	const cwd = temporaryNetwork(`${ROBOTS}  a: { robot: r }\n  b: { robot: r, depends_on: [a] }\n  c: { robot: r, depends_on: [b] }`);
	const child = startCli(["network", "run", "lab.yaml", "Go", ...args, ...more], { cwd, env });
	const isTime = more.length === 0 ? "Started   b" : "Let me think";
	// once: what was said stands in the result again
	child.stdout?.on("data", (chunk: Buffer) => chunk.includes(isTime) && !child.killed && child.kill("SIGINT"));
	const { code, stdout, stderr } = await printedBy(child);
	expect(code).toBe(130);
	expect(stderr).toContain("Interrupted.");
	expect(stderr).not.toContain("robot-lab:");
	if (more.length > 0) {
		const { log, result } = logOf(stdout);
		expect(log.findLast(({ event }) => event === "run.interrupted")).toMatchObject({
			data: { scope: "network", reason: "user_cancellation" },
		});
		expect(result).toMatchObject({
			status: "cancelled",
			tasks: { a: { state: "done" }, b: { state: "cancelled" }, c: { state: "cancelled" } },
		});
		return;
	}
	expect(stdout).toMatch(/^Cancelled b after /m);
	expect(stdout).toMatch(/^Cancelled c$/m);
	expect(stdout).toMatch(/\nResult of a\nIt is done\.\n\nBroke off after .*: 0 tool calls\.\n$/);
});

it("network run spells out what a model would make the terminal do", async () => {
	const { args, env } = await modelServer(() => [{ content: "\u001b[2J\u001b]52;c;ZXZpbA==\u0007 \u009b5;5H \u202e" }]);
	const cwd = temporaryNetwork(`${ROBOTS}  a: { robot: r }`);
	const { code, stdout } = await printedBy(startCli(["network", "run", "lab.yaml", "Go", ...args], { cwd, env }));
	expect(code).toBe(0);
	expect(stdout).toContain("\\u001b[2J\\u001b]52;c;ZXZpbA==\\u0007 \\u009b5;5H \\u202e");
	// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not be there
	expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u009b\u202e]/);
});
