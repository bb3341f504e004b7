import { RobotLabError } from "../errors/robot-lab-error.js";
import type { FailureFacts } from "../stream/stream-event.js";
import { messageOf } from "../text/message-of.js";

/** What is said of what a handler failed with, or refused with: its message and its code. */
export const handlerFailure = (error: unknown): FailureFacts =>
	Object.freeze({ code: RobotLabError.isInstance(error) ? error.code : "unexpected", message: messageOf(error) });
