import type { LifecycleReason } from "../stream/lifecycle-reason.js";
import type { LifecycleStep } from "../stream/stream-event.js";

export type SandboxLifecycleState = "booting" | "error" | "ready" | "running" | "paused" | "stopped";

export type AgentRuntimeState = "idle" | "running" | "interrupted" | "error";

/** A change of what a sandbox or a robot is doing. The states are those after it. */
export interface LifecycleEvent {
	/** What confines the script it is about; `null` where nothing does, and on what a whole run does. */
	readonly sandboxId: string | null;
	readonly sandbox: SandboxLifecycleState;
	readonly agent: AgentRuntimeState;
	/** ISO 8601. */
	readonly timestamp: string;
	readonly reason: LifecycleReason;
	readonly browser?: LifecycleStep["browser"];
	/** The call whose script it is about. */
	readonly toolCallId?: string;
	/** What there is to say besides, e.g. `exitCode`, `confinement`, `grant`. */
	readonly detail?: LifecycleStep["detail"];
	readonly runId: string;
	/** The number of the event it was made of. */
	readonly sequenceNumber: number;
}
