import { configure, reloadConfig, type SandboxBackend, type ScriptExecutor } from "@robot-lab/core";
import { describeExecutor } from "@robot-lab/core/testing";
import { afterEach, describe, it } from "vitest";
import { createExecutor, Executor } from "../src/run/executor.js";
import { chooseStrategy } from "../src/strategy/choose.js";
import { noBubblewrap } from "./support/no-bubblewrap.js";
import { standIn } from "./support/stand-in.js";
import { workshop } from "./support/workshop.js";

afterEach(() => {
	reloadConfig();
});

const confinedBy = (backend: SandboxBackend): ScriptExecutor => {
	configure({ sandbox: { enabled: true, backend } });
	return Executor;
};
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
describe.skipIf(noBubblewrap !== undefined)(`bubblewrap (${noBubblewrap ?? "works here"})`, () => {
	describeExecutor("Executor with Bubblewrap", () => confinedBy("bubblewrap"), { describe, it });
});
