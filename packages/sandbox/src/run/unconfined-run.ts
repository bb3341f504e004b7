import { runUnconfined, type ScriptResult } from "@robot-lab/core";
import { limitNote } from "../limits/limit-note.js";
import { limiting } from "../limits/limiting.js";
import { withNotes } from "../strategy/with-notes.js";
import { runScrubbed, type ScrubbedRun } from "./scrubbed-run.js";

export interface UnconfinedRun extends ScrubbedRun {
	/** Whether the script gets the environment of a confined one instead of the host's. */
	readonly scrubs: boolean;
}

/**
 * Runs a script with nothing that confines it, for at most the grant's timeout and within its limits.
 *
 * Throws a SandboxUnavailableError (`grant_not_expressible`) for a limit that cannot be held here; nothing was run then.
 */
export async function runWithinLimits({ scrubs, ...run }: UnconfinedRun): Promise<ScriptResult> {
	const { command, options, grant, platform } = run;
	const { limits } = grant;
	const { outside: launcher } = await limiting({ limits, strategy: "none", platform });
	const bounds = { timeoutMs: grant.timeout * 1000, limits, launcher };
	const result = scrubs ? await runScrubbed(run, bounds) : await runUnconfined(command, options, bounds);
	return withNotes(result, limitNote(result, limits));
}
