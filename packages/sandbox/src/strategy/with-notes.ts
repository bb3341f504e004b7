import type { ScriptResult } from "@robot-lab/core";

/** The result with these lines behind its own note, as one line. */
export function withNotes(result: ScriptResult, ...notes: readonly (string | undefined)[]): ScriptResult {
	const note = [result.note, ...notes].filter((line) => line !== undefined).join(" ");
	return note === "" ? result : { ...result, note };
}
