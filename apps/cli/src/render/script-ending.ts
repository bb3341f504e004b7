import type { ScriptResult } from "@robot-lab/core";
import { printableLine } from "./printable.js";

/** How a script that did not end well ended; `undefined` for one that did. */
export function renderScriptEnding(file: string, result: ScriptResult): string | undefined {
	const { refusal, timedOut, aborted, signal, exitCode, durationMs, note, confinement } = result;
	const name = printableLine(file, 80);
	const seconds = `${(durationMs / 1000).toFixed(1)} s`;
	const hint = note === undefined ? "" : ` ${printableLine(note, 400)}`;
	if (refusal !== undefined) return `${name} was not run: ${printableLine(refusal.message, 600)}`;
	if (timedOut) return `${name} ran longer than it may and was ended after ${seconds}; --timeout raises the ceiling.${hint}`;
	if (aborted) return `${name} was interrupted after ${seconds}.`;
	if (signal !== null) return `${name} was ended by ${signal} after ${seconds}, confined: ${confinement}.${hint}`;
	return exitCode === 0 ? undefined : `${name} ended with exit code ${exitCode} after ${seconds}, confined: ${confinement}.${hint}`;
}
