import type { LifecycleReason } from "../stream/lifecycle-reason.js";
import type { AgentRuntimeState, SandboxLifecycleState } from "./lifecycle-event.js";

/** What is so after something happened. What is absent stays as it was. */
export interface LifecycleStates {
	readonly sandbox?: SandboxLifecycleState;
	readonly agent?: AgentRuntimeState;
	/** Whether it is the end of work: a sandbox that has stopped, or failed, is not up again for that. */
	readonly isEndOfWork?: boolean;
}

const UP: LifecycleStates = { sandbox: "ready", agent: "idle" };
const RUNNING: LifecycleStates = { sandbox: "running", agent: "running" };
const DONE: LifecycleStates = { sandbox: "ready", agent: "idle", isEndOfWork: true };
const FAILED: LifecycleStates = { sandbox: "ready", agent: "error", isEndOfWork: true };
const INTERRUPTED: LifecycleStates = { sandbox: "ready", agent: "interrupted", isEndOfWork: true };

/** The states after each reason, while no run is open. */
export const STATES_AFTER: Readonly<Record<LifecycleReason, LifecycleStates>> = {
	browser_ready: {},
	sandbox_boot: { sandbox: "booting" },
	sandbox_ready: UP,
	sandbox_connected: UP,
	sandbox_pause: { sandbox: "paused", agent: "idle" },
	sandbox_resume: UP,
	sandbox_killed: { sandbox: "stopped", agent: "idle" },
	sandbox_error: { sandbox: "error", agent: "error" },
	run_start: RUNNING,
	run_complete: DONE,
	run_interrupted: INTERRUPTED,
	run_failed: FAILED,
	run_background_complete: DONE,
	run_background_failed: FAILED,
	command_start: RUNNING,
	command_complete: DONE,
	command_failed: FAILED,
	command_interrupted: INTERRUPTED,
	command_background_complete: DONE,
	command_background_failed: FAILED,
};
