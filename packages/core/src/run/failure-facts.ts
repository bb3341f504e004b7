import { RobotLabError } from "../errors/robot-lab-error.js";
import type { FailureFacts } from "../stream/stream-event.js";
import { messageOf } from "../text/message-of.js";

/** What the log says of an error: its message and its code, never its stack or its other fields. */
export const failureFacts = (error: unknown): FailureFacts => ({
	code: RobotLabError.isInstance(error) ? error.code : "unexpected",
	message: messageOf(error),
});
