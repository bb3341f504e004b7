import assert from "node:assert/strict";
import type { TaskRunner } from "../network/task-runner.js";
import type { Delegate } from "../robot/delegation-future.js";
import type { ContractRunner } from "./executor-contract.js";
import { TASK_RUNNER_FACTS } from "./task-runner-facts.js";

/** A runner, and what stands for the robots of `taskRunnerRobots()` in a network whose tasks it runs. */
export interface TestedTaskRunner {
	readonly runner: TaskRunner;
	readonly robot: (name: string) => Delegate;
}

/**
 * The contract of {@link TaskRunner} v1 as tests. `make` is called for every test, and may give the same runner again: none minds what the others
 * have asked for.
 */
export function describeTaskRunner(name: string, make: () => TestedTaskRunner | Promise<TestedTaskRunner>, runner: ContractRunner): void {
	runner.describe(`${name} keeps the contract of TaskRunner v1`, () => {
		runner.it("says its version and has a name", async () => {
			const tested = await make();
			assert.equal(tested.runner.specificationVersion, "v1");
			assert.match(tested.runner.name, /\S/);
		});
		for (const [title, fact] of Object.entries(TASK_RUNNER_FACTS)) runner.it(title, async () => fact(await make()));
	});
}
