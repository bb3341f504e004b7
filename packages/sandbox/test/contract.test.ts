import { configure, reloadConfig, type ScriptExecutor } from "@robot-lab/core";
import { describeExecutor } from "@robot-lab/core/testing";
import { afterEach, describe, it } from "vitest";
import { chooseStrategy } from "../src/choose.js";
import { createExecutor, Executor } from "../src/executor.js";
import { standIn } from "./support/stand-in.js";
import { workshop } from "./support/workshop.js";

afterEach(() => {
	reloadConfig();
});

const enabled = (executor: ScriptExecutor): ScriptExecutor => {
	configure({ sandbox: { enabled: true } });
	return executor;
};

describeExecutor("Executor, not enabled,", () => Executor, { describe, it });
describeExecutor("Executor with Null", () => enabled(createExecutor({ platform: "linux", choose: chooseStrategy })), { describe, it });
describeExecutor("Executor with Seatbelt around a stand-in for sandbox-exec", () => enabled(createExecutor(standIn(workshop()).host)), {
	describe,
	it,
});
