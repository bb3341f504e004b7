import { refusedResult, type SandboxRefusalCode, type ScriptRefusal, type ScriptResult } from "@robot-lab/core";

/** What is known about a run that ended. */
export interface EndedRun {
	readonly output: string;
	readonly exitCode: number | null;
	readonly signal: string | null;
}

export interface Conclusion {
	/** Runs a program that does nothing under the same profile. */
	readonly probe: () => Promise<EndedRun>;
	/** Interpreters of which nothing but their own file is readable. */
	readonly loneInterpreters: readonly string[];
}

const PROFILE_REJECTED = 65;
const NOT_STARTED = 71;
const ABORTED = 134;

/** How loaders and interpreters say that they miss something of their own. */
const MISSES_ITS_OWN =
	/^dyld\[|Library not loaded|error while loading shared libraries|Fatal Python error|No module named '?encodings|<internal:gem_prelude>|you may need to install the \S+ module|Can't locate \S+ in @INC/m;

/**
 * What became of a run under sandbox-exec. What it prints and how it exits, a script can print and exit with too, and a refusal says
 * that nothing ran: so it is one only where sandbox-exec refuses a program that does nothing in the same way.
 */
export async function concludeRun(result: ScriptResult, { probe, loneInterpreters }: Conclusion): Promise<ScriptResult> {
	const refusal = refusalOf(result);
	if (refusal !== undefined && refusalOf(await probe())?.code === refusal.code) return refusedResult(refusal.code, refusal.message);
	const note = notStartedNote(result) ?? loneNote(result, loneInterpreters) ?? abortNote(result);
	return note === undefined ? result : { ...result, note };
}

/** The first line of what was printed, as far as it fits into a message. */
export const firstLine = (text: string): string => text.trim().split("\n", 1)[0]?.slice(0, 300) ?? "";
/** Whether a run ended as one does that misses something of the system's, before its first instruction. */
export const abortedInSilence = ({ output, exitCode, signal }: EndedRun): boolean =>
	(exitCode === ABORTED || signal === "SIGABRT") && output.trim() === "";
const speaksForItself = (output: string): boolean => output.startsWith("sandbox-exec: ");

/** A refusal of sandbox-exec's own. */
export interface SeatbeltRefusal extends ScriptRefusal {
	readonly code: Extract<SandboxRefusalCode, "profile_rejected" | "nested_sandbox">;
}

/** Why sandbox-exec would run nothing at all, told by its exit code together with what it prints. */
export function refusalOf({ output, exitCode }: EndedRun): SeatbeltRefusal | undefined {
	if (!speaksForItself(output)) return undefined;
	if (exitCode === PROFILE_REJECTED) {
		return {
			code: "profile_rejected",
			message: `macOS rejected the sandbox profile, which is a bug in @robot-lab/sandbox; please report it with the output of "robot-lab sandbox profile". ${firstLine(output)}`,
		};
	}
	if (exitCode === NOT_STARTED && output.includes("sandbox_apply")) {
		return {
			code: "nested_sandbox",
			message: `this process already runs inside a sandbox, and sandbox-exec cannot start another one in it. Run the host outside of the sandbox. ${firstLine(output)}`,
		};
	}
	return undefined;
}

/** No refusal: no probe can tell a command that is not found inside from a script that says so. */
function notStartedNote({ output, exitCode }: EndedRun): string | undefined {
	if (exitCode !== NOT_STARTED || !speaksForItself(output) || !output.includes("execvp()")) return undefined;
	return "The command may not have been found inside the sandbox. Name the directory of its interpreter in fs_read.";
}

function loneNote(run: EndedRun, loneInterpreters: readonly string[]): string | undefined {
	const [first] = loneInterpreters;
	if (run.exitCode === 0 || first === undefined || !(MISSES_ITS_OWN.test(run.output) || abortedInSilence(run))) return undefined;
	return `The interpreter may not have started: of ${JSON.stringify(first)} only the file itself is readable, because it is in no directory of a known version manager. Name the directory of what it needs in fs_read.`;
}

/** One line about a run that may never have come to the script's first instruction: nothing tells that apart from a script that aborts in silence. */
function abortNote(run: EndedRun): string | undefined {
	if (!abortedInSilence(run)) return undefined;
	return 'The interpreter may not have started: it aborted without output, as programs do that miss something of the system inside a sandbox. "robot-lab sandbox doctor" tells which programs start here.';
}
