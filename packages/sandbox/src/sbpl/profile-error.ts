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

const MAX_SHOWN = 80;

/** Text of a profile or a question as a message shows it: its start is enough to find it. */
export const short = (text: string): string => (text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text);

/** The same in quotes. */
export const quoted = (text: string): string => JSON.stringify(short(text));
