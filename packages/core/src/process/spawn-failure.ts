import { statSync } from "node:fs";
import { findProgram } from "./find-program.js";
import { hostDirectory } from "./host-directory.js";
import type { RunPlan } from "./run-plan.js";

/** Why a command could not be started: the system's word for it, and a line that names what is wrong. */
export interface SpawnFailure {
	readonly code: string;
	readonly message: string;
}

/** What can be seen to be wrong before anything is started. */
export function foreseenFailure(plan: RunPlan): SpawnFailure | undefined {
	const [program] = plan.command;
	if (program === undefined || program === "") return { code: "EINVAL", message: "Cannot run an empty command: name a program." };
	const withNul = plan.command.findIndex((part) => part.includes("\0"));
	if (withNul >= 0) return { code: "EINVAL", message: `Cannot run ${JSON.stringify(program)}: argument ${withNul} holds a NUL character.` };
	if (plan.cwd?.includes("\0"))
		return { code: "EINVAL", message: `Cannot run ${JSON.stringify(program)}: the working directory holds a NUL character.` };
	return undefined;
}

/** What would be wrong with the working directory or the program. A launcher that starts it could only say so in the output. */
export function missingPart(plan: RunPlan): SpawnFailure | undefined {
	const [program = ""] = plan.command;
	const cwd = plan.cwd ?? hostDirectory();
	const directory = cwd === undefined ? HOST_DIRECTORY_GONE : directoryProblem(cwd);
	if (directory !== undefined) return { code: directory.code, message: `Cannot run ${JSON.stringify(program)}: ${directory.message}.` };
	const search = findProgram(program, cwd ?? "/", plan.env.PATH ?? "/usr/bin:/bin");
	return "path" in search ? undefined : { code: search.code, message: `Cannot run ${JSON.stringify(program)}: ${search.message}.` };
}

/** The system's own error, with the part named that it leaves out. */
export function explainedFailure(error: unknown, plan: RunPlan): SpawnFailure {
	const { code = "UNKNOWN", message } = error as NodeJS.ErrnoException;
	const [program = ""] = plan.command;
	if (code === "ENOENT" || code === "EACCES" || code === "ENOTDIR") {
		const missing = missingPart(plan);
		if (missing !== undefined) return missing;
	}
	if (code === "E2BIG")
		return { code, message: `Cannot run ${JSON.stringify(program)}: its arguments and environment are larger than the system allows.` };
	return { code, message: `Cannot run ${JSON.stringify(program)}: ${message}.` };
}

const HOST_DIRECTORY_GONE: SpawnFailure = { code: "ENOENT", message: "the working directory of this process has been deleted" };

function directoryProblem(cwd: string): SpawnFailure | undefined {
	const named = `the working directory ${JSON.stringify(cwd)}`;
	try {
		return statSync(cwd).isDirectory() ? undefined : { code: "ENOTDIR", message: `${named} is not a directory` };
	} catch (error) {
		const { code = "ENOENT" } = error as NodeJS.ErrnoException;
		return { code, message: code === "ENOENT" ? `${named} does not exist` : `${named} cannot be entered (${code})` };
	}
}
