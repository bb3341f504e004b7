import assert from "node:assert/strict";
import { Capabilities } from "../capability/capabilities.js";
import type { ScriptOptions, ScriptResult } from "../script/script-executor.js";

/** Runs one bash script through the executor under test. */
export type RunScript = (script: string, options?: Partial<ScriptOptions>, args?: readonly string[]) => Promise<ScriptResult>;

/** How long an executor may take for any of these scripts. Those that would take longer by themselves are to be ended, or left behind. */
export const SETTLES_WITHIN_SECONDS = 15;

/** What every executor does, each fact with the script that shows it. */
export const EXECUTOR_FACTS: Readonly<Record<string, (run: RunScript) => Promise<void>>> = {
	"gives the output of a script that succeeds as it was written": async (run) => {
		const result = await run("printf 'one\\n  two  \\n\\n'");
		assert.equal(result.output, "one\n  two  \n\n");
		assert.deepEqual([result.exitCode, result.signal, result.timedOut, result.aborted, result.truncatedBytes], [0, null, false, false, 0]);
		assert.equal(result.refusal, undefined);
		assert.ok(result.durationMs > 0);
	},
	"gives the exit code of a script that fails, with its output": async (run) => {
		const result = await run("echo broken; exit 7");
		assert.deepEqual([result.exitCode, result.output], [7, "broken\n"]);
	},
	"names the signal that ended a script": async (run) => {
		const result = await run("kill -KILL $$");
		assert.deepEqual([result.exitCode, result.signal], [null, "SIGKILL"]);
	},
	"keeps stdout and stderr in the order written": async (run) => {
		const result = await run("for i in 1 2 3 4 5 6 7 8 9; do echo out $i; echo err $i >&2; done");
		assert.equal(result.output, Array.from({ length: 9 }, (_, i) => `out ${i + 1}\nerr ${i + 1}\n`).join(""));
	},
	"gives stdout before stderr when the streams are to be separate": async (run) => {
		const result = await run("echo late >&2; echo early", { streams: "separate" });
		assert.ok(result.output.indexOf("early") < result.output.indexOf("late"), result.output);
	},
	"hands every argument over unchanged": async (run) => {
		const args = ["", "a b", "'\"$HOME`id`", "*", "-n", "é\n2"];
		const result = await run('printf "[%s]" "$@"', {}, args);
		assert.equal(result.output, args.map((arg) => `[${arg}]`).join(""));
	},
	"closes standard input unless there is text for it": async (run) => {
		assert.equal((await run("cat; echo end")).output, "end\n");
		assert.equal((await run("cat", { stdin: "typed\n" })).output, "typed\n");
	},
	"tells the script its bundle and lets the caller add variables": async (run) => {
		const result = await run('cd "$SKILL_DIR" && ls scripts; echo "$GREETING"', { env: { GREETING: "hello there" } });
		assert.equal(result.output, "run.sh\nhello there\n");
	},
	"replaces invalid UTF-8": async (run) => {
		assert.equal((await run("printf 'a\\xffb'")).output, "a\ufffdb");
	},
	"keeps head and tail of too much output and counts the rest": async (run) => {
		const result = await run("echo first; head -c 200000 /dev/zero | tr '\\0' x; echo; echo last", { maxOutputBytes: 8_192 });
		assert.ok(result.truncatedBytes > 190_000, `${result.truncatedBytes} bytes are counted as cut`);
		assert.ok(result.output.length < 10_000, `${result.output.length} characters are kept`);
		assert.ok(result.output.startsWith("first\n") && result.output.endsWith("last\n"));
	},
	"keeps no more output than the bundle's own limit, whatever the caller allows": async (run) => {
		const capabilities = new Capabilities({ timeout: 20, limits: { outputBytes: 100 } });
		const result = await run("head -c 50000 /dev/zero | tr '\\0' x", { capabilities, maxOutputBytes: 8_192 });
		assert.equal(result.truncatedBytes, 49_900);
		const separate = await run("head -c 50000 /dev/zero | tr '\\0' x", { capabilities, streams: "separate" });
		assert.ok(separate.truncatedBytes >= 49_900, `${separate.truncatedBytes} bytes are counted as cut`);
	},
	"tells of output while the script runs, and does not mind a listener that throws": async (run) => {
		const chunks: string[] = [];
		const result = await run("echo one; echo two", {
			onOutput: (chunk) => {
				chunks.push(chunk);
				throw new Error("listener");
			},
		});
		assert.equal(chunks.join(""), result.output);
	},
	"ends a script that is aborted and gives what it wrote": async (run) => {
		const controller = new AbortController();
		const result = await run(`echo started; sleep ${SETTLES_WITHIN_SECONDS + 15}`, {
			signal: controller.signal,
			onOutput: () => controller.abort(),
		});
		assert.deepEqual([result.aborted, result.output], [true, "started\n"]);
	},
	"starts nothing when it is aborted already": async (run) => {
		const result = await run("echo ran", { signal: AbortSignal.abort() });
		assert.deepEqual([result.aborted, result.output], [true, ""]);
	},
	"settles although a background child holds the output": async (run) => {
		const result = await run(`sleep ${SETTLES_WITHIN_SECONDS + 5} & echo done`);
		assert.ok(result.output.startsWith("done\n"));
	},
	"keeps runs that go on side by side apart": async (run) => {
		const results = await Promise.all(Array.from({ length: 5 }, (_, i) => run(`for n in 1 2 3; do echo ${i}; sleep 0.02; done`)));
		assert.deepEqual(
			results.map(({ output }) => output),
			results.map((_, i) => `${i}\n`.repeat(3)),
		);
	},
	"answers for a script it cannot run instead of throwing": async (run) => {
		const result = await run("exit 0", { cwd: "/nowhere/at/all", capabilities: new Capabilities({ timeout: 5 }) });
		assert.ok(result.refusal !== undefined || result.exitCode !== 0, "a missing working directory went unnoticed");
	},
};
