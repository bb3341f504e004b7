import { join } from "node:path";
import {
	Capabilities,
	configure,
	type ResourceLimits,
	reloadConfig,
	type ScriptExecutor,
	type ScriptOptions,
	type ScriptResult,
} from "@robot-lab/core";
import { onTestFinished } from "vitest";
import { createExecutor } from "../../src/run/executor.js";
import { chooseStrategy } from "../../src/strategy/choose.js";
import type { StrategyName } from "../../src/strategy/strategy.js";
import { noBubblewrap } from "../support/no-bubblewrap.js";
import { standIn } from "../support/stand-in.js";
import { put, workshop } from "../support/workshop.js";

/** A skill whose script uses more than it may, and a directory it may write. */
export interface Stage {
	readonly out: string;
	readonly executor: ScriptExecutor;
	/** Runs a script that declares limits; `OUT` is the directory. */
	run(script: string, limits?: ResourceLimits, more?: More): Promise<ScriptResult>;
}

export interface More extends Partial<Omit<ScriptOptions, "capabilities">> {
	/** The limits of the configuration. */
	readonly ceiling?: ResourceLimits;
	/** Seconds. Default 20. */
	readonly timeout?: number;
	/** What is run with the script's arguments behind it. Default: bash and the script. */
	readonly command?: readonly string[];
}

/** Without `sandbox-exec`, a stand-in for it: limits are held by the kernel of this computer then, set as on a Mac. */
export function stage(strategy: StrategyName): Stage {
	const directory = workshop();
	const [skillDir, out] = [join(directory, "skill"), join(directory, "out")];
	put(join(out, "own"), "mine\n");
	const host = strategy === "seatbelt" ? standIn(directory).host : { platform: process.platform, choose: chooseStrategy };
	const executor = createExecutor(host);
	onTestFinished(() => {
		reloadConfig();
	});
	return {
		out,
		executor,
		run(script, limits = {}, { ceiling = {}, timeout = 20, command, ...more } = {}) {
			reloadConfig();
			configure({ sandbox: { enabled: true, backend: strategy, fsRead: ["/"], fsWrite: [directory], limits: ceiling } });
			const file = put(join(skillDir, "scripts", "run"), `${script}\n`, 0o755);
			const capabilities = new Capabilities({ fsWrite: [out], timeout, limits });
			return executor.run(command ?? ["bash", file], { capabilities, skillDir, cwd: out, ...more, env: { OUT: out, ...more.env } });
		},
	};
}

/** The strategies that can be tried here, those that cannot with the reason in their title. */
export const STRATEGIES: readonly { readonly strategy: StrategyName; readonly title: string; readonly skipped: boolean }[] = [
	{ strategy: "none", title: "with nothing that confines", skipped: process.platform === "win32" },
	{ strategy: "seatbelt", title: "before a stand-in for sandbox-exec", skipped: process.platform === "win32" },
	{ strategy: "bubblewrap", title: `inside bubblewrap (${noBubblewrap ?? "which works here"})`, skipped: noBubblewrap !== undefined },
];
