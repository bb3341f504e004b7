import { RobotLabError } from "@robot-lab/core";

/**
 * `profile_syntax`: no sandbox profile at all, or one that macOS would refuse to compile.
 * `profile_unsupported`: perhaps a profile, but one whose meaning this evaluator does not know; it never guesses.
 * `profile_query`: the question cannot be answered as it was asked.
 */
export type ProfileErrorCode = "profile_syntax" | "profile_unsupported" | "profile_query";

/** A sandbox profile, or a question about one, that the evaluator refuses. */
export class ProfileError extends RobotLabError {
	static override readonly typeName: string = "ProfileError";

	/** The line of the profile, counted from 1. Absent for a question. */
	readonly line: number | undefined;

	constructor(code: ProfileErrorCode, message: string, line?: number) {
		super(code, line === undefined ? message : `${message} (line ${line} of the profile)`);
		this.line = line;
	}
}
