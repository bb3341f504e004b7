import { config } from "../config/configure.js";
import { guardedListener } from "../errors/guarded-listener.js";
import { messageOf } from "../text/message-of.js";
import { checkRun } from "./check-run.js";
import { installedExecutor } from "./executor-slot.js";
import { commandRefusal } from "./preflight.js";
import type { ScriptExecutor, ScriptOptions, ScriptResult } from "./script-executor.js";
import { abortedResult, type ResultAtLeast, refusedResult, tellEnding, wholeResult } from "./script-result.js";
import { unconfinedExecutor } from "./unconfined-executor.js";

/**
 * Runs a command with the installed executor, or unconfined where there is none. What keeps it from being run is a value,
 * `refusal`: a missing interpreter, an executor that failed, in the place of which nothing else runs the script, or none
 * although `sandbox.enabled` asks for confinement.
 *
 * Throws a ConfigurationError for a command or an option that is none.
 */
export async function runScript(command: readonly string[], options: ScriptOptions): Promise<ScriptResult> {
	checkRun(command, options);
	const watched = { ...options, ...quietListeners(options) };
	if (options.signal?.aborted) return tellEnding(abortedResult(), watched);
	const refusal = commandRefusal(command, options);
	if (refusal !== undefined) return tellEnding(refusedResult(refusal.code, refusal.message), watched);
	const executor = installedExecutor();
	if (executor === undefined && config().sandbox?.enabled === true) return tellEnding(notImported(), watched);
	return runWith(executor ?? unconfinedExecutor, command, watched);
}

const notImported = (): ScriptResult =>
	refusedResult(
		"sandbox_not_imported",
		'sandbox.enabled is true and nothing that confines is there. Import "@robot-lab/sandbox" before scripts run, or set sandbox.enabled to false.',
	);

async function runWith(executor: ScriptExecutor, command: readonly string[], options: ScriptOptions): Promise<ScriptResult> {
	const named = `The executor ${JSON.stringify(executor.name)}`;
	try {
		const result: unknown = await executor.run(command, options);
		if (isResult(result)) return wholeResult(result);
		return tellEnding(refusedResult("executor_failed", `${named} answered with something that is no result.`), options);
	} catch (error) {
		return tellEnding(refusedResult("executor_failed", `${named} failed: ${messageOf(error)}`), options);
	}
}

function isResult(value: unknown): value is ResultAtLeast {
	const { output, exitCode, timedOut } = (value ?? {}) as Partial<ScriptResult>;
	return typeof output === "string" && exitCode !== undefined && typeof timedOut === "boolean";
}

/** The caller's listeners, made unable to disturb a run. */
function quietListeners({ onOutput, onLifecycle }: ScriptOptions): Pick<ScriptOptions, "onOutput" | "onLifecycle"> {
	return { ...(onOutput && { onOutput: guardedListener(onOutput) }), ...(onLifecycle && { onLifecycle: guardedListener(onLifecycle) }) };
}
