import { RobotLabError } from "./robot-lab-error.js";

/**
 * A log of events could not be read as asked. Its `code` says why: `"stream_overflow"` (the reader was too slow and had asked for this
 * error), `"events_gone"` (the first of the events asked for are no longer kept), `"stream_unreadable"` (a file is no log),
 * `"stream_unwritable"` (a file or stream takes no more).
 */
export class StreamError extends RobotLabError {
	static override readonly typeName: string = "StreamError";
}
