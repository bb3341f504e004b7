import type { RunOptions } from "./run-options.js";

export interface DelegationWaitOptions {
	/** Milliseconds after which the other robot is stopped. Default: as long as it takes. */
	readonly timeoutMs?: number | undefined;
}

/** How work is handed on: what the other robot's run takes, and how long it may take. */
export interface DelegateOptions extends RunOptions, DelegationWaitOptions {}
