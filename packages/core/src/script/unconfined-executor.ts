import { runBounded } from "../process/run-bounded.js";
import type { ScriptExecutor, ScriptOptions, ScriptResult } from "./script-executor.js";
import { scriptEnding, toScriptResult } from "./script-result.js";
import { scriptSurroundings } from "./surroundings.js";

/**
 * Runs a script with everything the host process may do, for as long as it takes: what core does while no executor is
 * installed. Abort and the output budget hold. What the script leaves running in the background is left alone.
 */
export const unconfinedExecutor: ScriptExecutor = { specificationVersion: "v1", name: "unconfined", run };

async function run(command: readonly string[], options: ScriptOptions): Promise<ScriptResult> {
	const { cwd, variables } = scriptSurroundings(options);
	const { stdin, signal, maxOutputBytes, streams, onOutput, onLifecycle } = options;
	const bounded = await runBounded(command, {
		cwd,
		env: { ...process.env, ...variables },
		survivors: "leave",
		onSpawn: (pid) => onLifecycle?.("command_start", { command, pid, confinement: "none" }),
		...(stdin !== undefined && { stdin }),
		...(signal !== undefined && { signal }),
		...(maxOutputBytes !== undefined && { maxOutputBytes }),
		...(streams !== undefined && { streams }),
		...(onOutput !== undefined && { onOutput }),
	});
	const result = toScriptResult(bounded, "none");
	const { reason, detail } = scriptEnding(result);
	onLifecycle?.(reason, detail);
	return result;
}
