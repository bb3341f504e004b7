import { RobotLabError } from "../errors/robot-lab-error.js";
import { messageOf } from "../text/message-of.js";
import { shorten } from "../text/shorten.js";
import type { FailureFacts } from "./stream-event.js";

const UNEXPECTED = "unexpected";

const MAX_CODE_CHARACTERS = 100;

/** What the log says of an error: its message and its code, never its stack or its other fields. Never throws: what was thrown may be anything. */
export const failureFacts = (error: unknown): FailureFacts => Object.freeze({ code: codeOf(error), message: messageOf(error) });

function codeOf(error: unknown): string {
	try {
		const code: unknown = RobotLabError.isInstance(error) ? error.code : UNEXPECTED;
		return typeof code === "string" ? shorten(code, MAX_CODE_CHARACTERS) : UNEXPECTED;
	} catch {
		return UNEXPECTED;
	}
}
