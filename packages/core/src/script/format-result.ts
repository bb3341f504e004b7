import type { ScriptResult } from "./script-executor.js";

/** What the model is told. Of several reasons for an ending the first counts: refused, timed out, aborted, signal, exit code. */
export function formatResult(result: ScriptResult): string {
	const text = withoutNote(result);
	if (result.note === undefined) return text;
	return `${text}${text === "" || text.endsWith("\n") ? "" : "\n"}${result.note}`;
}

function withoutNote({ refusal, timedOut, aborted, signal, exitCode, output }: ScriptResult): string {
	if (refusal !== undefined) return `Error (not run: ${refusal.code}): ${refusal.message}`;
	if (timedOut) return `Error (timed out):\n${output}`;
	if (aborted) return `Error (aborted):\n${output}`;
	if (signal !== null && signal !== undefined) return `Error (signal ${signal}):\n${output}`;
	return exitCode === 0 ? output : `Error (exit ${exitCode ?? "unknown"}):\n${output}`;
}
