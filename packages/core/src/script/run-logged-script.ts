import { basename } from "node:path";
import type { EventLog } from "../stream/event-log.js";
import { runCall } from "../tool/call-run.js";
import { checkEmpty } from "../tool/run-tool.js";
import { checkRun } from "./check-run.js";
import { formatResult } from "./format-result.js";
import { runScript } from "./run-script.js";
import type { ScriptOptions, ScriptResult } from "./script-executor.js";
import { hasSucceeded, outcomeOf } from "./script-result.js";

export interface LoggedScriptOptions extends ScriptOptions {
	/** Is told of the run as of a root run: its output, each step of its life and its end. Must be empty. Default: nobody is told. */
	readonly log?: EventLog;
}

/** {@link runScript}, told to a log as a root run where there is one. The caller's own listeners are told as well. */
export async function runLoggedScript(command: readonly string[], options: LoggedScriptOptions): Promise<ScriptResult> {
	const { log, ...script } = options ?? {};
	if (log === undefined) return runScript(command, options);
	checkEmpty(log);
	checkRun(command, script);
	const { signal } = script;
	let result: ScriptResult | undefined;
	await runCall(log, {
		scope: "script",
		name: basename(command[1] ?? command[0] ?? ""),
		signal,
		make: async ({ onOutput, onLifecycle }) => {
			result = await runScript(command, {
				...script,
				onOutput: (chunk, stream) => {
					onOutput?.(chunk, stream);
					script.onOutput?.(chunk, stream);
				},
				onLifecycle: (reason, detail) => {
					onLifecycle?.(reason, detail);
					script.onLifecycle?.(reason, detail);
				},
			});
			return { text: formatResult(result), isError: !hasSucceeded(result), script: outcomeOf(result) };
		},
	});
	return result as ScriptResult;
}
