import type { ScriptRefusal } from "@robot-lab/core";
import { SANDBOX_EXEC } from "./seatbelt.js";

/** What is known about a run that ended. */
export interface EndedRun {
	readonly output: string;
	readonly exitCode: number | null;
	readonly signal: string | null;
}

const PROFILE_REJECTED = 65;
const NOT_STARTED = 71;
const ABORTED = 134;

const firstLine = (text: string): string => text.trim().split("\n", 1)[0]?.slice(0, 300) ?? "";

/** Whether sandbox-exec refused to run the script, told by its exit code together with what it prints. */
export function refusalOf(run: EndedRun): ScriptRefusal | undefined {
	const { output, exitCode } = run;
	if (!/^sandbox-exec: /.test(output)) return undefined;
	if (exitCode === PROFILE_REJECTED) {
		return {
			code: "profile_rejected",
			message: `macOS rejected the sandbox profile, which is a bug in @robot-lab/sandbox; please report it with the output of "robot-lab sandbox profile". ${firstLine(output)}`,
		};
	}
	if (exitCode === NOT_STARTED && output.includes("sandbox_apply")) {
		return {
			code: "nested_sandbox",
			message: `this process already runs inside a sandbox, and ${SANDBOX_EXEC} cannot start another one in it. Run the host outside of the sandbox. ${firstLine(output)}`,
		};
	}
	if (exitCode === NOT_STARTED && output.includes("execvp()")) {
		return { code: "interpreter_missing", message: `the command was not found inside the sandbox. ${firstLine(output)}` };
	}
	return undefined;
}

/** One line about a run that may never have come to the script's first instruction: nothing tells that apart from a script that aborts in silence. */
export function abortNote(run: EndedRun): string | undefined {
	const aborted = run.exitCode === ABORTED || run.signal === "SIGABRT";
	if (!aborted || run.output.trim() !== "") return undefined;
	return 'The interpreter may not have started: it aborted without output, as programs do that miss something of the system inside a sandbox. Compare "robot-lab sandbox profile".';
}
