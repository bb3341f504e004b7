import type { ResourceLimits } from "@robot-lab/core";
import type { StrategyName } from "../strategy/strategy.js";

/** The limits that a kernel holds a script to. `outputBytes` is held by what reads the output, everywhere. */
export type KernelLimit = Exclude<keyof ResourceLimits, "outputBytes">;

export const KERNEL_LIMITS: readonly KernelLimit[] = ["memoryMb", "processes", "fileSizeMb", "cpuSeconds"];

/** The most that a process may use by itself, and the most that it may allow itself. */
export interface LimitPair {
	readonly soft: number;
	readonly hard: number;
}

/**
 * Whom the kernel counts when it counts a script's processes: the `script`'s alone, or those of the host's `user` too; `nobody` where it
 * counts them and refuses none. Only a user namespace of the script's own, as bubblewrap makes one, has them counted apart.
 */
export type Counted = "script" | "user" | "nobody";

/** What decides which limits hold. Found out on this computer, or given to plan for another one. */
export interface LimitHost {
	readonly platform: NodeJS.Platform;
	readonly strategy: StrategyName;
	readonly isRoot: boolean;
	/** Absolute path of the program that sets limits, where one was seen to set them. */
	readonly setter: string | undefined;
	readonly counted: Counted;
	/** What this process has itself, in bytes and seconds. Only lowered, and what is not here is unlimited. */
	readonly own: ReadonlyMap<KernelLimit, LimitPair>;
}
