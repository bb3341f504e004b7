import type { ResourceLimits } from "../config/config.js";
import { warnOnce } from "../errors/warn-once.js";
import { runBounded } from "../process/run-bounded.js";
import type { ScriptExecutor, ScriptOptions, ScriptResult } from "./script-executor.js";
import { limitsBeyondOutput, outputBudget, scriptLimits } from "./script-limits.js";
import { tellEnding, toScriptResult } from "./script-result.js";
import { scriptSurroundings } from "./surroundings.js";

/**
 * Runs a script with everything the host process may do, for as long as it takes: what core does while no executor is
 * installed. Abort and the output budget hold. What the script leaves running in the background is left alone.
 */
export const unconfinedExecutor: ScriptExecutor = {
	specificationVersion: "v1",
	name: "unconfined",
	run: async (command, options) => {
		const limits = scriptLimits(options);
		warnOfLimits(limitsBeyondOutput(limits));
		return tellEnding(await runUnconfined(command, options, { limits }), options);
	},
};

/** What holds although nothing is confined. */
export interface UnconfinedBounds {
	/** Milliseconds. Default: no deadline. */
	readonly timeoutMs?: number;
	/** Of these only `outputBytes` holds by itself. */
	readonly limits: ResourceLimits;
	/** Argument vector put before the command, of a program that holds it to the other limits. Default: none, and they do not hold. */
	readonly launcher?: readonly string[];
	/** The script's whole environment. Default: the host's, and what every script is told. */
	readonly environment?: Readonly<Record<string, string>>;
}

/** The run itself, with everything the host process may do. Tells of its start and not of its ending. */
export async function runUnconfined(command: readonly string[], options: ScriptOptions, bounds: UnconfinedBounds): Promise<ScriptResult> {
	const { cwd, variables } = scriptSurroundings(options);
	const { stdin, signal, streams, onOutput, onLifecycle } = options;
	const run = await runBounded(command, {
		cwd,
		env: bounds.environment ?? { ...process.env, ...variables },
		survivors: "leave",
		maxOutputBytes: outputBudget(options, bounds.limits),
		onSpawn: (pid) => onLifecycle?.("command_start", { command, pid, confinement: "none" }),
		...(bounds.timeoutMs !== undefined && { timeoutMs: bounds.timeoutMs }),
		...(bounds.launcher !== undefined && { launcher: bounds.launcher }),
		...(stdin !== undefined && { stdin }),
		...(signal !== undefined && { signal }),
		...(streams !== undefined && { streams }),
		...(onOutput !== undefined && { onOutput }),
	});
	return toScriptResult(run, "none");
}

function warnOfLimits(names: readonly string[]): void {
	if (names.length === 0) return;
	warnOnce(
		"limits of unconfined scripts",
		`Limits are set that do not hold for scripts that core runs unconfined: ${names.join(", ")}. Of limits only outputBytes holds for those. Import "@robot-lab/sandbox" and set sandbox.enabled to true to have scripts held to them.`,
		"ROBOT_LAB_LIMITS_NOT_ENFORCED",
	);
}
