import type { Tool } from "../tool/tool.js";
import { deriveName } from "./derive-name.js";
import { extractDescription } from "./description.js";
import { installExecutor, installedExecutor, replaceExecutor } from "./executor-slot.js";
import { formatResult } from "./format-result.js";
import { type LoggedScriptOptions, runLoggedScript } from "./run-logged-script.js";
import type { ScriptExecutor, ScriptResult } from "./script-executor.js";
import { type ScriptToolOptions, toolFromPath } from "./script-to-tool.js";

/** Scripts as tools, and the one place where something else than core can run them. */
export interface ScriptToolFactory {
	/**
	 * What runs scripts in core's place; `undefined`, the default, runs them unconfined. One slot for the process, even with
	 * two copies of this package loaded. Setting one of the installed one's name takes its place; setting one of another
	 * name, or something that is no executor, throws a ConfigurationError; `undefined` empties the slot, replacements included.
	 */
	executor: ScriptExecutor | undefined;
	/** Puts an executor over the installed one until it is disposed of, in whatever order several are. */
	replaceExecutor(executor: ScriptExecutor): Disposable;
	/** The tool of a script, `undefined` for a file that is none (`inspectScript` says why). Never throws. */
	fromPath(scriptPath: string, options?: ScriptToolOptions): Promise<Tool | undefined>;
	/** Runs a command and answers with the text for the model, uncut. Throws as `run` does. */
	execute(command: readonly string[], options: LoggedScriptOptions): Promise<string>;
	/**
	 * Runs a command with the installed executor, or unconfined. What keeps it from being run is in the result's `refusal`.
	 * Throws a ConfigurationError for a command or an option that is none.
	 */
	run(command: readonly string[], options: LoggedScriptOptions): Promise<ScriptResult>;
	/** What the model is told of a result. */
	formatResult(result: ScriptResult): string;
	/** `"check-deploy.sh"` gives `"check_deploy"`. */
	deriveName(scriptPath: string): string;
	/** What a script says it does in its docstring or first comment, else the derived name. Never throws. */
	extractDescription(scriptPath: string): Promise<string>;
}

export const ScriptTool: ScriptToolFactory = Object.freeze({
	get executor() {
		return installedExecutor();
	},
	set executor(executor: ScriptExecutor | undefined) {
		installExecutor(executor);
	},
	replaceExecutor,
	fromPath: toolFromPath,
	execute: async (command: readonly string[], options: LoggedScriptOptions) => formatResult(await runLoggedScript(command, options)),
	run: runLoggedScript,
	formatResult,
	deriveName,
	extractDescription,
});
