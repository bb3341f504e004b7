import type { BoundedRunResult } from "../process/bounded-run.js";
import type { LifecycleReason } from "../stream/lifecycle-reason.js";
import type { Confinement, ScriptOutcome, ScriptRefusal } from "../stream/script-outcome.js";
import type { ScriptOptions, ScriptResult } from "./script-executor.js";

const NEVER_RAN: ScriptResult = {
	output: "",
	exitCode: null,
	signal: null,
	timedOut: false,
	aborted: false,
	truncatedBytes: 0,
	durationMs: 0,
	confinement: "none",
};

/** The result of a script that was not run. */
export function refusedResult(code: string, message: string): ScriptResult {
	return { ...NEVER_RAN, refusal: { code, message } };
}

/** The result of a script that was called off before it was started. */
export function abortedResult(): ScriptResult {
	return { ...NEVER_RAN, aborted: true };
}

/** What an executor that is not typed must answer with at the least. */
export type ResultAtLeast = Pick<ScriptResult, "output" | "exitCode" | "timedOut"> & Partial<ScriptResult>;

/** An executor's result, with everything that it left out or left undefined. */
export function wholeResult(result: ResultAtLeast): ScriptResult {
	const given = Object.fromEntries(Object.entries(result).filter(([, value]) => value !== undefined));
	return { ...NEVER_RAN, ...given };
}

/** What became of a script, from what became of its process. A process that could not be started is a refusal. */
export function toScriptResult(run: BoundedRunResult, confinement: Confinement): ScriptResult {
	if (run.spawnError !== undefined) return refusedResult(refusalCode(run.spawnError.code), run.spawnError.message);
	return {
		output: run.output + run.errorOutput,
		exitCode: run.exitCode,
		signal: run.signal,
		timedOut: run.timedOut,
		aborted: run.aborted,
		truncatedBytes: run.truncatedBytes,
		durationMs: run.durationMs,
		confinement,
	};
}

/** Whether a script did what it was run for: it ran to its own end, with exit code 0. */
export function hasSucceeded({ refusal, timedOut, aborted, signal, exitCode }: ScriptOutcome): boolean {
	return refusal === undefined && !timedOut && !aborted && signal === null && exitCode === 0;
}

/** A result without what the script printed. */
export function outcomeOf(result: ScriptResult): ScriptOutcome {
	const { confinement, exitCode, signal, timedOut, aborted, truncatedBytes, durationMs, refusal } = result;
	return { confinement, exitCode, signal, timedOut, aborted, truncatedBytes, durationMs, ...(refusal && { refusal }) };
}

const refusalCode = (systemCode: string): string => (systemCode === "E2BIG" ? "arguments_too_long" : "not_started");

/** The last step of a script's life, as it is told to `onLifecycle`. */
export interface ScriptEnding {
	readonly reason: Extract<LifecycleReason, "command_complete" | "command_failed" | "command_interrupted">;
	readonly detail: {
		readonly exitCode: number | null;
		readonly signal: string | null;
		readonly timedOut: boolean;
		readonly durationMs: number;
		readonly refusal?: ScriptRefusal;
	};
}

/** Complete: exit code 0. Interrupted: by deadline or abort. Failed: everything else, not having been run included. */
export function scriptEnding(result: ScriptResult): ScriptEnding {
	const { exitCode, signal, timedOut, aborted, durationMs, refusal } = result;
	const detail = { exitCode, signal, timedOut, durationMs, ...(refusal && { refusal }) };
	if (refusal !== undefined) return { reason: "command_failed", detail };
	if (timedOut || aborted) return { reason: "command_interrupted", detail };
	return { reason: exitCode === 0 ? "command_complete" : "command_failed", detail };
}

/** Tells a run's listener of its last step, and hands the result on. */
export function tellEnding(result: ScriptResult, { onLifecycle }: Pick<ScriptOptions, "onLifecycle">): ScriptResult {
	const { reason, detail } = scriptEnding(result);
	onLifecycle?.(reason, detail);
	return result;
}
