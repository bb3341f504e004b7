import { runUnconfined, type ScriptOptions, type ScriptResult } from "@robot-lab/core";
import { grantFacts } from "../grant/grant-facts.js";
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
export async function runWithinLimits({ scrubs, ...given }: UnconfinedRun): Promise<ScriptResult> {
	const run = { ...given, options: tellingOfGrant(given) };
	const { command, options, grant, platform } = run;
	const { limits } = grant;
	const { outside: launcher } = await limiting({ limits, strategy: "none", platform });
	const bounds = { timeoutMs: grant.timeout * 1000, limits, launcher };
	const result = scrubs ? await runScrubbed(run, bounds) : await runUnconfined(command, options, bounds);
	return withNotes(result, limitNote(result, limits));
}

/** Nothing is booted that could say what was granted, so the start says it: of it the timeout and the limits hold. */
function tellingOfGrant({ options, grant }: ScrubbedRun): ScriptOptions {
	const { onLifecycle } = options;
	if (onLifecycle === undefined) return options;
	return {
		...options,
		onLifecycle: (reason, detail) => onLifecycle(reason, reason === "command_start" ? { ...detail, grant: grantFacts(grant) } : detail),
	};
}
