import { RobotLabError, type RobotLabErrorOptions } from "./robot-lab-error.js";

/**
 * Why a script that was to be confined was not run:
 *
 * - `unsupported_platform`: what was asked for does not exist on this platform or processor.
 * - `backend_missing`: a program that confinement needs is not there.
 * - `probe_failed`: it is there, and does not confine when it is tried.
 * - `nested_sandbox`: this process is in a sandbox already, in which no other can be started.
 * - `profile_rejected`: the system does not take what this grant became.
 * - `profile_not_written`: what the system is to be told cannot be written down.
 * - `scratch_not_made`: there can be no directory for temporary files.
 * - `invalid_grant`: a path must not be granted, or cannot be written into a profile.
 * - `grant_not_expressible`: the grant or a limit is sound, and cannot be held here.
 * - `grant_changed`: something granted is not what it was when it was checked.
 *
 * What to do about each: the README of `@robot-lab/sandbox`, and the message.
 */
export type SandboxRefusalCode =
	| "unsupported_platform"
	| "backend_missing"
	| "probe_failed"
	| "nested_sandbox"
	| "profile_rejected"
	| "profile_not_written"
	| "scratch_not_made"
	| "invalid_grant"
	| "grant_not_expressible"
	| "grant_changed";

/** Confinement was asked for and cannot be given; nothing was run. */
export class SandboxUnavailableError extends RobotLabError {
	static override readonly typeName: string = "SandboxUnavailableError";
	declare readonly code: SandboxRefusalCode;

	constructor(code: SandboxRefusalCode, message: string, options: RobotLabErrorOptions = {}) {
		super(code, message, options);
	}
}
