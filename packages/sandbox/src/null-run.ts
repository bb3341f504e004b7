import { type Capabilities, type ScriptOptions, type ScriptResult, scriptSurroundings, toScriptResult } from "@robot-lab/core";
import { runBounded } from "@robot-lab/core/process";
import { callersBounds } from "./bounds.js";

/**
 * Runs a script that is not confined although confinement is enabled: trusted, or on a platform that has none.
 * With the host's whole environment; the grant's timeout still holds. What it leaves running in the background is left alone.
 */
export async function runNull(command: readonly string[], options: ScriptOptions, grant: Capabilities): Promise<ScriptResult> {
	const { cwd, variables } = scriptSurroundings(options);
	const ended = await runBounded(command, {
		...callersBounds(options),
		cwd,
		env: { ...process.env, ...variables },
		timeoutMs: grant.timeout * 1000,
		survivors: "leave",
		onSpawn: (pid) => options.onLifecycle?.("command_start", { command, pid, confinement: "none" }),
	});
	return toScriptResult(ended, "none");
}
