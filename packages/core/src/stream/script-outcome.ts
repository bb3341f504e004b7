/** How a script was confined while it ran. */
export type Confinement = "none" | "seatbelt" | "bubblewrap";

/** Why a script was not run. A value, not a throw: it becomes text for the model. */
export interface ScriptRefusal {
	/** A stable word, e.g. `"script_missing"`, `"interpreter_missing"`, `"invalid_grant"`. */
	readonly code: string;
	/** What is wrong and what to do, in one line. */
	readonly message: string;
}

/** How a script ended, apart from what it printed: what a script says of itself in its output is no evidence. */
export interface ScriptOutcome {
	readonly confinement: Confinement;
	/** The exit code, `null` when the script was ended by a signal or never ran. */
	readonly exitCode: number | null;
	/** The signal that ended the script, e.g. `"SIGKILL"`, or `null`. */
	readonly signal: string | null;
	/** Whether the deadline ended it. */
	readonly timedOut: boolean;
	/** Whether the caller's signal ended it. */
	readonly aborted: boolean;
	/** Bytes of output that were dropped when it was captured; 0 when none were. */
	readonly truncatedBytes: number;
	/** Milliseconds from the start of the script to its end; 0 when it never ran. */
	readonly durationMs: number;
	/** Set when the script was not run. */
	readonly refusal?: ScriptRefusal;
}
