import { describe, expect, it } from "vitest";
import { ConfigurationError } from "../../src/errors/configuration-error.js";
import { InProcessTaskRunner } from "../../src/network/in-process-task-runner.js";
import type { Delegate } from "../../src/robot/delegation-future.js";
import { describeTaskRunner } from "../../src/testing/task-runner-contract.js";
import { taskRunnerRobots } from "../../src/testing/task-runner-robots.js";

describeTaskRunner(
	"InProcessTaskRunner",
	() => {
		const robots = taskRunnerRobots();
		return { runner: new InProcessTaskRunner(), robot: (name) => robots.find((robot) => robot.name === name) as Delegate };
	},
	{ describe, it },
);
void expect;
void ConfigurationError;
