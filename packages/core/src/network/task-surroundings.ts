import type { Hook } from "../hook/hook.js";
import type { HookChain } from "../hook/hook-chain.js";
import type { Memory } from "../memory/memory.js";
import type { RobotResult } from "../message/robot-result.js";
import type { RunPublisher } from "../stream/run-publisher.js";
import type { InterruptReason } from "../stream/stream-event.js";
import type { NetworkRecord } from "./network-record.js";
import type { TaskRunner } from "./task-runner.js";

/** A result, and the task that came to it. */
export type TaskResult = readonly [task: string, result: RobotResult];

/** What a task is given by the run of its network. */
export interface TaskSurroundings {
	/** The task's run in the log. */
	readonly run: RunPublisher;
	/** The id of the network's. */
	readonly networkRunId: string;
	readonly network: NetworkRecord;
	/** Runs its attempts. `undefined`: their robots do. */
	readonly runner: TaskRunner | undefined;
	/** Those of the network's run; `undefined` where there are none. */
	readonly hooks: HookChain | undefined;
	/** The same for the runs of robots: the network's, and those of this run of it. */
	readonly robotHooks: readonly Hook[];
	readonly message: string;
	readonly context: Readonly<Record<string, unknown>>;
	readonly memory: Memory;
	/** What it depends on came to. */
	readonly answers: readonly TaskResult[];
	/** What the task that activated it came to. */
	readonly activator: readonly TaskResult[];
	/** Ends the run of the whole network. */
	readonly stop: AbortSignal;
	/** Why that was ended, for the log. */
	readonly interruptReason: () => InterruptReason;
	/** Throws for a task that the one named first cannot activate. */
	readonly checkActivation: (by: string, task: string) => void;
}
