import type { Capabilities } from "../capability/capabilities.js";
import type { LifecycleReason } from "../stream/lifecycle-reason.js";
import type { ScriptOutcome } from "../stream/script-outcome.js";

/** One run of one script. */
export interface ScriptOptions {
	/** What the script's bundle declared. An executor narrows it to a grant; of it core alone keeps only `limits.outputBytes`. */
	readonly capabilities: Capabilities;
	/** The bundle's directory, absolute. Given to the script as `SKILL_DIR`. */
	readonly skillDir: string;
	/** Working directory. Default: the host process's, or the bundle's where `scripts.cwd` is `skill`. */
	readonly cwd?: string;
	/** Variables added to the script's environment; the last word over everything but the variables an executor forbids. */
	readonly env?: Readonly<Record<string, string>>;
	/** Text for the script's standard input. Default: standard input is closed. */
	readonly stdin?: string;
	/** Aborting it ends the script and all it started; the result says `aborted`. */
	readonly signal?: AbortSignal;
	/**
	 * Bytes of output that are kept, the first quarter and the last three quarters of it; of separate streams half of it each. Default
	 * 1 MiB. The smaller of this and `limits.outputBytes` counts.
	 */
	readonly maxOutputBytes?: number;
	/** `merged` (default): stdout and stderr as one output in the order written. `separate`: stdout's, then stderr's. */
	readonly streams?: "merged" | "separate";
	/** Called with decoded output while the script runs. Must not throw; what it throws is ignored. Merged output comes as `stdout`. */
	readonly onOutput?: (chunk: string, stream: "stdout" | "stderr") => void;
	/** Called with each step of the script's life. Must not throw; what it throws is ignored. */
	readonly onLifecycle?: (reason: LifecycleReason, detail?: object) => void;
}

/** What became of one run of a script. */
export interface ScriptResult extends ScriptOutcome {
	/** stdout and stderr in the order written (see {@link ScriptOptions.streams}); invalid UTF-8 replaced. */
	readonly output: string;
	/** One line that `formatResult` puts last, e.g. what was granted when a denial is likely. */
	readonly note?: string;
}

/**
 * Runs scripts in the place of core. One is installed for the whole process (see `ScriptTool.executor`).
 *
 * `run` never throws for a script that fails or must not run: it answers with a result, `refusal` set in the latter case.
 */
export interface ScriptExecutor {
	readonly specificationVersion: "v1";
	/** Which executor this is; two executors of one name count as the same. */
	readonly name: string;
	/**
	 * Whether a script whose bundle declares this would be held to its grant, as everything is set now, or else not be run. What people are told before
	 * they let a script run depends on it. Touches nothing, never throws. Default: it would not.
	 */
	confines?(declared: Capabilities): boolean;
	run(command: readonly string[], options: ScriptOptions): Promise<ScriptResult>;
}
