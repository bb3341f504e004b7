import { constants } from "node:os";
import { refusedResult, type SandboxRefusalCode, type ScriptResult } from "@robot-lab/core";
import { readReport, sawChange } from "./inner-shell.js";
import { changedMessage, GRANT_CHANGED } from "./pins.js";

/** What bwrap and the shell inside said about a run that is over. */
export interface Account {
	readonly status: string;
	readonly report: string;
	/** What the shell was answered, if it asked. */
	readonly answer: string | undefined;
}

/**
 * The result of a run as the script had it. bwrap gives its own failures and the script's as one exit code, and a signal as an exit code
 * too; what both said on the side tells them apart. A run in which bwrap never came to the script is a refusal.
 */
export function concludeRun(result: ScriptResult, { status, report, answer }: Account): ScriptResult {
	const { exitCode, timedOut, aborted } = result;
	if (result.refusal !== undefined || exitCode === null) return result;
	if (!hasRun(status) && !timedOut && !aborted)
		return refusedResult("profile_rejected" satisfies SandboxRefusalCode, failure(result.output));
	if (sawChange(answer, report)) return refusedResult(GRANT_CHANGED, changedMessage("Something that is granted"));
	const { signal } = readReport(report, exitCode);
	return signal === undefined ? result : { ...result, exitCode: null, signal: signalName(signal) };
}

/** Whether bwrap came to its command. */
export function hasRun(status: string): boolean {
	return /"exit-code": \d+/.test(status);
}

/** What bwrap complained of, in one line. */
export function firstComplaint(output: string): string {
	const lines = output.trim().split("\n");
	return (lines.find((line) => line.startsWith("bwrap: ")) ?? lines[0] ?? "").slice(0, 300);
}

function failure(output: string): string {
	const complaint = firstComplaint(output);
	return `bubblewrap could not build the sandbox for this grant. ${complaint === "" ? "It gave no reason." : complaint} Something that is granted may have changed meanwhile; check its paths and run the script again.`;
}

function signalName(number: number): string {
	const known = Object.entries(constants.signals).find(([, value]) => value === number);
	return known?.[0] ?? `signal ${number}`;
}
