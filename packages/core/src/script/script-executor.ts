import type { Capabilities } from "../capability/capabilities.js";

/** How a script was confined while it ran. */
export type Confinement = "none" | "seatbelt" | "bubblewrap";

/** What happens to a script, in order. Told to `onLifecycle` as it happens. */
export type ScriptLifecycleReason =
	| "sandbox_boot"
	| "sandbox_ready"
	| "sandbox_killed"
	| "command_start"
	| "command_complete"
	| "command_failed"
	| "command_interrupted";

/** One run of one script. */
export interface ScriptOptions {
	/** What the script's bundle declared. An executor narrows it to a grant; core alone ignores it. */
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
	/** Bytes of output that are kept. Default 1 MiB: the first quarter and the last three quarters of it. */
	readonly maxOutputBytes?: number;
	/** `merged` (default): stdout and stderr as one output in the order written. `separate`: stdout's, then stderr's. */
	readonly streams?: "merged" | "separate";
	/** Called with decoded output while the script runs. Must not throw; what it throws is ignored. Merged output comes as `stdout`. */
	readonly onOutput?: (chunk: string, stream: "stdout" | "stderr") => void;
	/** Called with each step of the script's life. Must not throw; what it throws is ignored. */
	readonly onLifecycle?: (reason: ScriptLifecycleReason, detail?: object) => void;
}

/** Why a script was not run. A value, not a throw: it becomes text for the model. */
export interface ScriptRefusal {
	/** A stable word, e.g. `"script_missing"`, `"interpreter_missing"`, `"invalid_grant"`. */
	readonly code: string;
	/** What is wrong and what to do, in one line. */
	readonly message: string;
}

/** What became of one run of a script. */
export interface ScriptResult {
	/** stdout and stderr in the order written (see {@link ScriptOptions.streams}); invalid UTF-8 replaced. */
	readonly output: string;
	/** The exit code, `null` when the script was ended by a signal or never ran. */
	readonly exitCode: number | null;
	/** The signal that ended the script, e.g. `"SIGKILL"`, or `null`. */
	readonly signal: string | null;
	/** Whether the deadline ended it. */
	readonly timedOut: boolean;
	/** Whether the caller's signal ended it. */
	readonly aborted: boolean;
	/** Bytes of output that were dropped between the kept head and tail; 0 when nothing was. */
	readonly truncatedBytes: number;
	readonly durationMs: number;
	readonly confinement: Confinement;
	/** Set when the script was not run. */
	readonly refusal?: ScriptRefusal;
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
	run(command: readonly string[], options: ScriptOptions): Promise<ScriptResult>;
}
