import type { ScriptResult } from "@robot-lab/core";
import { duration } from "./duration.js";
import { printableLine } from "./printable.js";

/** How a script that did not end well ended; `undefined` for one that did. */
export function renderScriptEnding(file: string, result: ScriptResult): string | undefined {
	const { refusal, timedOut, aborted, signal, exitCode, durationMs, note, confinement } = result;
	const name = printableLine(file, 80);
	const time = duration(durationMs);
	const hint = note === undefined ? "" : ` ${printableLine(note, 400)}`;
	if (refusal !== undefined) return `${name} was not run: ${printableLine(refusal.message, 600)}`;
	if (timedOut) return `${name} ran longer than it may and was ended after ${time}; --timeout raises the ceiling.${hint}`;
	if (aborted) return `${name} was interrupted after ${time}.`;
	if (signal !== null) return `${name} was ended by ${signal} after ${time}, confined: ${confinement}.${hint}`;
	return exitCode === 0 ? undefined : `${name} ended with exit code ${exitCode} after ${time}, confined: ${confinement}.${hint}`;
}
