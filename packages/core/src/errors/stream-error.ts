import { RobotLabError, type RobotLabErrorOptions } from "./robot-lab-error.js";

/**
 * Why a log of events could not be read or written as asked:
 *
 * - `stream_overflow`: the reader was too slow, and more waited than it may, or than it had asked for.
 * - `events_gone`: the first of the events asked for are no longer kept.
 * - `stream_unreadable`: a file is no log.
 * - `stream_unwritable`: a file or stream takes no more.
 */
export type StreamErrorCode = "stream_overflow" | "events_gone" | "stream_unreadable" | "stream_unwritable";

/** A log of events could not be read or written as asked. */
export class StreamError extends RobotLabError {
	static override readonly typeName: string = "StreamError";
	declare readonly code: StreamErrorCode;

	constructor(code: StreamErrorCode, message: string, options: RobotLabErrorOptions = {}) {
		super(code, message, options);
	}
}
