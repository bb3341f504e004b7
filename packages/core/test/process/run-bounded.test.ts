import { closeSync, existsSync, mkdtempSync, openSync, readdirSync, realpathSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ConfigurationError } from "../../src/errors/configuration-error.js";
import { type BoundedRunOptions, runBounded } from "../../src/process/index.js";
import { onLinux } from "./living.js";

const bash = (script: string, options: BoundedRunOptions = {}) => runBounded(["bash", "-c", script], options);
const endable = (): BoundedRunOptions => ({ signal: new AbortController().signal });

let directory: string;
beforeAll(() => {
	directory = realpathSync(mkdtempSync(join(tmpdir(), "run-bounded-test-")));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

describe("runBounded()", () => {
	it("gives output, exit code and duration", async () => {
		const { durationMs, ...result } = await bash("echo hello; exit 3");
		expect(result).toEqual({
			output: "hello\n",
			errorOutput: "",
			exitCode: 3,
			signal: null,
			timedOut: false,
			aborted: false,
			truncatedBytes: 0,
			survivorsKilled: 0,
		});
		expect(durationMs).toBeGreaterThan(0);
	});

	it("names the signal a command died of", async () => {
		expect(await bash("kill -SEGV $$")).toMatchObject({ exitCode: null, signal: "SIGSEGV" });
	});

	it("passes arguments on as they are: no shell sees them", async () => {
		const words = ["$HOME", "a b", "", "`id`", "*", "'\"", "ü", "-n", "--"];
		for (const options of [{}, endable()]) {
			expect((await runBounded(["printf", "<%s>", ...words], options)).output).toBe(words.map((word) => `<${word}>`).join(""));
		}
	});

	it("keeps 200 lines of stdout and stderr in the order they were written", async () => {
		const { output } = await bash("for i in $(seq 100); do echo out$i; echo err$i >&2; done");
		expect(output).toBe(Array.from({ length: 100 }, (_, index) => `out${index + 1}\nerr${index + 1}\n`).join(""));
	});

	it("gives streams that can be opened again through /dev/stdout and /dev/stderr", async () => {
		const script = "echo a > /dev/stderr && echo b > /dev/stdout && echo c | tee /dev/stderr";
		expect(await bash(script)).toMatchObject({ exitCode: 0, output: "a\nb\nc\nc\n" });
		expect(await bash(script, { streams: "separate" })).toMatchObject({ exitCode: 0, output: "b\nc\n", errorOutput: "a\nc\n" });
	});

	it("gives each of two separate streams its own budget", async () => {
		const result = await bash("printf 0123456789; printf abcdefghij >&2", { streams: "separate", maxOutputBytes: 8 });
		expect(result).toMatchObject({
			output: "01\n[… 2 bytes cut …]\n456789",
			errorOutput: "ab\n[… 2 bytes cut …]\nefghij",
			truncatedBytes: 4,
		});
	});

	it("closes standard input when there is no text for it", async () => {
		expect((await bash("cat; echo end")).output).toBe("end\n");
	});

	it.skipIf(!onLinux)("gives /dev/null for standard input then", async () => {
		expect((await bash("readlink /proc/self/fd/0")).output).toBe("/dev/null\n");
	});

	it("gives text on standard input, which can be opened again through /dev/stdin", async () => {
		const text = `hällo\n${"x".repeat(300_000)}`;
		expect((await bash("cat", { stdin: text })).output).toBe(text);
		expect((await bash("cat < /dev/stdin", { stdin: "again" })).output).toBe("again");
		expect((await bash("cat", { stdin: "" })).output).toBe("");
	});

	it("does not mind a command that never reads its standard input", async () => {
		expect(await bash("echo done", { stdin: "x".repeat(2_000_000) })).toMatchObject({ exitCode: 0, output: "done\n" });
	});

	it("runs in the directory it is given", async () => {
		expect((await bash("pwd -P", { cwd: directory })).output).toBe(`${directory}\n`);
	});

	it("gives the child the environment it is given and the run's id, with names no shell would take", async () => {
		const env = { PATH: process.env.PATH, "a%b": "1", "BASH_FUNC_greet%%": "() { echo hi; }", EMPTY: "", GONE: undefined };
		for (const options of [{ env }, { env, ...endable() }]) {
			const { output } = await runBounded(["env", "-0"], options);
			const names = output
				.split("\0")
				.slice(0, -1)
				.map((variable) => variable.slice(0, variable.indexOf("=")));
			expect(names.sort()).toEqual(["BASH_FUNC_greet%%", "EMPTY", "PATH", "ROBOT_LAB_RUN_ID", "a%b"]);
		}
		expect((await bash("greet", { env, ...endable() })).output).toBe("hi\n");
	});

	it("passes extra descriptors from number 3 on, and no others", async () => {
		const path = join(directory, "extra");
		writeFileSync(path, "from the host");
		for (const options of [{}, endable()]) {
			const fd = openSync(path, "r");
			expect((await bash("cat <&3; { cat <&4; } 2>/dev/null", { ...options, fds: [fd] })).output).toBe("from the host");
			closeSync(fd);
		}
	});

	it.skipIf(!onLinux)("leaves no descriptor of another run open in a child", async () => {
		const others = Array.from({ length: 5 }, () => bash("sleep 0.3", { stdin: "x", ...endable() }));
		const { output } = await runBounded(["ls", "-l", "/proc/self/fd"], endable());
		const ours = output.split("\n").filter((line) => line.includes("robot-lab-"));
		expect(ours.map((line) => / (\d+) ->/.exec(line)?.[1])).toEqual(["1", "2"]);
		await Promise.all(others);
	});

	it("tells the pid of the command itself once it exists", async () => {
		const pids: number[] = [];
		const { output } = await bash("echo $$", { ...endable(), onSpawn: (pid) => pids.push(pid) });
		expect(pids.map(String)).toEqual([output.trim()]);
	});

	it("streams what is written, each character whole", async () => {
		const chunks: string[] = [];
		const script = String.raw`printf '\xe2'; sleep 0.05; printf '\x82'; sleep 0.05; printf '\xac|\xff|\xe2\x82'`;
		const { output } = await bash(script, { onOutput: (chunk) => chunks.push(chunk) });
		expect(chunks[0]).toBe("€|\ufffd|");
		expect(chunks.join("")).toBe("€|\ufffd|\ufffd");
		expect(output).toBe("€|\ufffd|\ufffd");
	});

	it("tells the listener which stream it was", async () => {
		const heard: string[] = [];
		const listen = (chunk: string, stream: string) => heard.push(`${stream}:${chunk}`);
		await bash("echo a; sleep 0.1; echo b >&2", { streams: "separate", onOutput: listen });
		await bash("echo c >&2", { onOutput: listen });
		expect(heard).toEqual(["stdout:a\n", "stderr:b\n", "stdout:c\n"]);
	});

	it("ignores what listeners throw or reject with", async () => {
		const fail = () => {
			throw new Error("a listener's own trouble");
		};
		expect(await bash("echo a; sleep 0.05; echo b", { onOutput: fail, onSpawn: fail })).toMatchObject({ exitCode: 0, output: "a\nb\n" });
		const reject = (async () => fail()) as () => void;
		expect(await bash("echo a", { onOutput: reject, onSpawn: reject })).toMatchObject({ exitCode: 0, output: "a\n" });
	});
});

describe("runBounded() of what cannot be started", () => {
	const failures = async (command: readonly string[], options: BoundedRunOptions = {}) => {
		const results = [await runBounded(command, options), await runBounded(command, { ...options, ...endable() })];
		for (const result of results)
			expect(result).toMatchObject({ exitCode: null, signal: null, output: "", aborted: false, timedOut: false });
		expect(results[1]?.spawnError).toEqual(results[0]?.spawnError);
		return results[0]?.spawnError;
	};

	it("is a value that names a program that is missing", async () => {
		expect(await failures(["no-such-program-anywhere", "x"])).toEqual({
			code: "ENOENT",
			message:
				'Cannot run "no-such-program-anywhere": the program "no-such-program-anywhere" was not found: it is in no directory of PATH.',
		});
		expect((await failures(["./missing.sh"], { cwd: directory }))?.message).toContain("there is no such file");
	});

	it("names the working directory when that is what is missing", async () => {
		const cwd = join(directory, "gone");
		expect(await failures(["ls"], { cwd })).toEqual({
			code: "ENOENT",
			message: `Cannot run "ls": the working directory "${cwd}" does not exist.`,
		});
		writeFileSync(join(directory, "file"), "");
		expect(await failures(["ls"], { cwd: join(directory, "file") })).toMatchObject({ code: "ENOTDIR" });
	});

	it.each([["bash", "-c", "true"], ["true"], ["./x"]])(
		"names the host's working directory when that was deleted (%s)",
		async (...command) => {
			const gone = mkdtempSync(join(directory, "deleted-"));
			const home = process.cwd();
			process.chdir(gone);
			rmdirSync(gone);
			try {
				const run = () => runBounded(command, { timeoutMs: 5000 });
				expect((await run()).spawnError).toEqual({
					code: "ENOENT",
					message: `Cannot run "${command[0]}": the working directory of this process has been deleted.`,
				});
				const descriptors = () => readdirSync("/dev/fd").length;
				const before = descriptors();
				for (let count = 0; count < 100; count += 1) await run();
				// Pipes that lie ready for the next runs come and go in batches; 100 runs that each kept one would be at 200.
				expect(descriptors() - before).toBeLessThan(80);
			} finally {
				process.chdir(home);
			}
		},
	);

	it("names the interpreter of a script when that is what is missing", async () => {
		const script = join(directory, "script");
		writeFileSync(script, "#!/no/such/interpreter -x\n", { mode: 0o755 });
		expect(await failures([script])).toEqual({
			code: "ENOENT",
			message: `Cannot run "${script}": the interpreter "/no/such/interpreter" of "${script}" was not found.`,
		});
	});

	it("says that a file is not executable", async () => {
		const script = join(directory, "plain.sh");
		writeFileSync(script, "#!/bin/sh\n", { mode: 0o644 });
		expect(await failures([script])).toMatchObject({ code: "EACCES", message: expect.stringContaining("is not an executable file") });
		expect(await failures([directory])).toMatchObject({ code: "EACCES" });
	});

	it("refuses an empty command and NUL characters", async () => {
		expect(await failures([])).toMatchObject({ code: "EINVAL", message: expect.stringContaining("empty command") });
		expect(await failures([""])).toMatchObject({ code: "EINVAL" });
		expect(await failures(["echo", "a\0b"])).toMatchObject({ code: "EINVAL", message: expect.stringContaining("argument 1") });
		expect(await failures(["ls"], { cwd: "a\0b" })).toMatchObject({ code: "EINVAL" });
	});

	it("says that the arguments are too large", async () => {
		const failure = await failures(["echo", "x".repeat(10_000_000)]);
		expect(failure).toEqual({ code: "E2BIG", message: expect.stringContaining("larger than the system allows") });
	});

	it("does not fail for an environment variable with a NUL: it is a value too", async () => {
		expect((await failures(["ls"], { env: { PATH: process.env.PATH, BAD: "a\0b" } }))?.code).toBeTypeOf("string");
	});
});

describe("runBounded() with bounds that are none", () => {
	it.each([0, -1, Number.NaN, "abc", "100", null])("throws a ConfigurationError for timeoutMs %s", async (timeoutMs) => {
		const failed = bash("echo ran", { timeoutMs: timeoutMs as number });
		await expect(failed).rejects.toThrow(ConfigurationError);
		await expect(failed).rejects.toThrow(/timeoutMs .*give a number of milliseconds greater than 0/);
	});

	it.each([-1, 1.5, Number.NaN, "1", Number.POSITIVE_INFINITY])("throws for maxOutputBytes %s", async (maxOutputBytes) => {
		await expect(bash("echo ran", { maxOutputBytes: maxOutputBytes as number })).rejects.toThrow(/maxOutputBytes/);
	});

	it("throws for words it does not know", async () => {
		await expect(bash("echo ran", { survivors: "maybe" as "kill" })).rejects.toThrow(/survivors "maybe"/);
		await expect(bash("echo ran", { streams: "both" as "merged" })).rejects.toThrow(/streams "both"/);
	});

	it.each([2 ** 31, 1e12, Number.MAX_VALUE, Number.POSITIVE_INFINITY])("does not fire at once for timeoutMs %d", async (timeoutMs) => {
		expect(await bash("sleep 0.1; echo done", { timeoutMs })).toMatchObject({ timedOut: false, output: "done\n" });
	});

	it("starts nothing when the signal has aborted already", async () => {
		const file = join(directory, "started");
		const pids: number[] = [];
		const result = await bash(`touch ${file}`, { signal: AbortSignal.abort(), onSpawn: (pid) => pids.push(pid) });
		expect(result).toMatchObject({ aborted: true, exitCode: null, output: "" });
		await bash("sleep 0.2");
		expect({ pids, started: existsSync(file) }).toEqual({ pids: [], started: false });
	});

	it("starts nothing when the signal aborts before the process exists", async () => {
		const abort = new AbortController();
		let spawned = false;
		const run = bash("sleep 5", { signal: abort.signal, onSpawn: () => (spawned = true) });
		abort.abort();
		expect(await run).toMatchObject({ aborted: true });
		expect(spawned).toBe(false);
	});
});
