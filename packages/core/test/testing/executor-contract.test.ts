import assert from "node:assert/strict";
import { describe, expect, it } from "vitest";
import type { ScriptExecutor } from "../../src/script/script-executor.js";
import { unconfinedExecutor } from "../../src/script/unconfined-executor.js";
import { describeExecutor } from "../../src/testing/executor-contract.js";
import { EXECUTOR_FACTS } from "../../src/testing/executor-facts.js";
import { RecordingExecutor } from "../../src/testing/recording-executor.js";

describeExecutor("core's unconfined executor", () => unconfinedExecutor, { describe, it });

/** Runs the whole contract against an executor and gives the titles that fail. */
async function failuresOf(executor: ScriptExecutor): Promise<string[]> {
	const tests: [string, () => Promise<void>][] = [];
	describeExecutor("broken", () => executor, { describe: (_, body) => body(), it: (title, body) => void tests.push([title, body]) });
	const outcomes = await Promise.all(tests.map(async ([title, body]) => body().then(() => [], () => [title]))); // biome-ignore format: one line
	return outcomes.flat();
}

const withResult = (change: (result: Awaited<ReturnType<ScriptExecutor["run"]>>) => object): ScriptExecutor => ({
	...unconfinedExecutor,
	run: async (command, options) => {
		const result = await unconfinedExecutor.run(command, options);
		return { ...result, ...change(result) };
	},
});

describe("describeExecutor()", () => {
	it("finds fault with an executor that runs nothing", async () => {
		const failures = await failuresOf(new RecordingExecutor());
		expect(failures.length).toBeGreaterThan(Object.keys(EXECUTOR_FACTS).length / 2);
	});

	it.each([
		[
			"trims output",
			withResult(({ output }) => ({ output: output.trim() })),
			"gives the output of a script that succeeds as it was written",
		],
		["hides exit codes", withResult(() => ({ exitCode: 0 })), "gives the exit code of a script that fails, with its output"],
		["hides the abort", withResult(() => ({ aborted: false })), "ends a script that is aborted and gives what it wrote"],
		["counts no cut", withResult(() => ({ truncatedBytes: 0 })), "keeps head and tail of too much output and counts the rest"],
		[
			"drops variables",
			{ ...unconfinedExecutor, run: (command, { env: _, ...options }) => unconfinedExecutor.run(command, options) } as ScriptExecutor,
			"tells the script its bundle and lets the caller add variables",
		],
	])("finds fault with an executor that %s", async (_, executor, title) => {
		assert.ok(title in EXECUTOR_FACTS);
		expect(await failuresOf(executor)).toContain(title);
	});
});
