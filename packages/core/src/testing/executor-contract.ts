import assert from "node:assert/strict";
import { setTimeout as wait } from "node:timers/promises";
import { Capabilities } from "../capability/capabilities.js";
import type { ScriptExecutor, ScriptOptions, ScriptResult } from "../script/script-executor.js";
import { EXECUTOR_FACTS, SETTLES_WITHIN_SECONDS } from "./executor-facts.js";
import { temporarySkill } from "./temporary-skill.js";

/** The two functions of a test runner that the contract needs. vitest, jest and node:test have them. */
export interface ContractRunner {
	readonly describe: (name: string, body: () => void) => void;
	readonly it: (name: string, body: () => Promise<void>) => void;
}

/**
 * The contract of {@link ScriptExecutor} v1 as tests. Each runs a real bash script in a bundle of its own; the executor is made anew
 * for every test. An executor that confines has to let a bundle's own scripts run without any grant.
 */
export function describeExecutor(name: string, make: () => ScriptExecutor | Promise<ScriptExecutor>, runner: ContractRunner): void {
	runner.describe(`${name} keeps the contract of ScriptExecutor v1`, () => {
		runner.it("says its version and has a name", async () => {
			const executor = await make();
			assert.equal(executor.specificationVersion, "v1");
			assert.match(executor.name, /\S/);
		});
		for (const [title, fact] of Object.entries(EXECUTOR_FACTS)) {
			runner.it(title, async () => {
				const executor = await make();
				await fact((script, options, args) => runIn(executor, script, options, args));
			});
		}
	});
}

async function runIn(
	executor: ScriptExecutor,
	script: string,
	options: Partial<ScriptOptions> = {},
	args: readonly string[] = [],
): Promise<ScriptResult> {
	await using skill = await temporarySkill({ "scripts/run.sh": `#!/bin/bash\n${script}\n` });
	const run = executor.run(["/bin/bash", skill.file("scripts/run.sh"), ...args], {
		capabilities: new Capabilities({ timeout: 20 }),
		skillDir: skill.path,
		...options,
	});
	const result = await Promise.race([run, wait(SETTLES_WITHIN_SECONDS * 1000, undefined, { ref: false })]);
	assert.ok(result !== undefined, `the executor did not settle within ${SETTLES_WITHIN_SECONDS} seconds`);
	return result;
}
