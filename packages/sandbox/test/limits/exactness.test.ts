import { configure, type ScriptExecutor } from "@robot-lab/core";
import { describeExecutor } from "@robot-lab/core/testing";
import { describe, expect, it } from "vitest";
import type { StrategyName } from "../../src/strategy/strategy.js";
import { STRATEGIES, stage } from "./stage.js";

const onLinux = process.platform === "linux";

function limited(strategy: StrategyName): ScriptExecutor {
	const memory = onLinux ? { memoryMb: 2000 } : {};
	const { executor } = stage(strategy);
	configure({ sandbox: { enabled: true, backend: strategy, limits: { fileSizeMb: 50, cpuSeconds: 100, ...memory } } });
	return executor;
}

for (const { strategy, title, skipped } of STRATEGIES) {
	describe.skipIf(skipped)(`limits ${title}`, () => {
		// What sets limits comes before all else with either of the two that are not bubblewrap: one of them is enough.
		if (strategy !== "seatbelt") describeExecutor("Executor with limits", () => limited(strategy), { describe, it });

		it("hand over arguments that look like limits, and a command that is missing keeps its error", async () => {
			const { run } = stage(strategy);
			const args = ["--", "f", "--as=1:1", "-c", "a b\n'c'\\"];
			const print = ["perl", "-e", 'print map { "[$_]" } @ARGV', "--", ...args];
			expect(await run("", { cpuSeconds: 9 }, { command: print })).toMatchObject({
				exitCode: 0,
				output: args.map((arg) => `[${arg}]`).join(""),
			});
			const missing = { command: ["/no/such/program", "x"] };
			const [free, held] = [await run("", {}, missing), await run("", { cpuSeconds: 9 }, missing)];
			expect({ ...held, durationMs: 0, output: "", note: "" }).toEqual({ ...free, durationMs: 0, output: "", note: "" });
			expect(held.refusal?.message ?? held.output).toContain("/no/such/program");
		});
	});
}
