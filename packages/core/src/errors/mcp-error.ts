import { RobotLabError, type RobotLabErrorOptions } from "./robot-lab-error.js";

/**
 * What went wrong with a Model Context Protocol server:
 *
 * - `unreachable`: it could not be started or reached, or did not introduce itself in time.
 * - `connection_lost`: it ended, or the connection to it did, before it answered.
 * - `timed_out`: it did not answer in time.
 * - `refused`: it answered that it will not.
 * - `unusable_answer`: what it answered is not what the protocol says, or more than is taken.
 * - `tool_failed`: the tool ran and says that it failed.
 * - `disconnected`: `disconnect()` has been called.
 */
export type McpErrorCode = "unreachable" | "connection_lost" | "timed_out" | "refused" | "unusable_answer" | "tool_failed" | "disconnected";

/** A Model Context Protocol server did not do what it was asked. */
export class McpError extends RobotLabError {
	static override readonly typeName: string = "McpError";
	declare readonly code: McpErrorCode;

	/** The name of the server, as it was given. */
	readonly server: string;

	constructor(code: McpErrorCode, server: string, message: string, options: RobotLabErrorOptions = {}) {
		super(code, message, options);
		this.server = server;
	}
}
