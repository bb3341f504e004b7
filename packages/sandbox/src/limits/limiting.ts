import type { ResourceLimits } from "@robot-lab/core";
import type { StrategyName } from "../strategy/strategy.js";
import { gatherLimitHost } from "./gather-limit-host.js";
import { KERNEL_LIMITS } from "./limit-host.js";
import { planLimits } from "./plan-limits.js";

export interface LimitRequest {
	readonly limits: ResourceLimits;
	readonly strategy: StrategyName;
	readonly platform: NodeJS.Platform;
}

/** Where the program goes that sets limits: an argument vector each, of which at most one is not empty. */
export interface Limiting {
	/** In front of the script's own command, inside of what confines it. */
	readonly inside: readonly string[];
	/** In front of what confines it. */
	readonly outside: readonly string[];
}

const NONE: Limiting = { inside: [], outside: [] };

/**
 * What holds a script to its limits. Without limits it looks at nothing.
 *
 * bubblewrap itself needs address space and processes that are no business of the script's, so its limits are set inside, where it is
 * also alone with its processes. sandbox-exec becomes the script, and tells of a program that is missing what only it can tell.
 *
 * Rejects with a SandboxUnavailableError: `grant_not_expressible` for a limit that cannot be held here, or bubblewrap's own where it does
 * not work.
 */
export async function limiting({ limits, strategy, platform }: LimitRequest): Promise<Limiting> {
	if (KERNEL_LIMITS.every((name) => limits[name] === undefined)) return NONE;
	const launcher = planLimits(limits, await gatherLimitHost(platform, strategy));
	return strategy === "bubblewrap" ? { ...NONE, inside: launcher } : { ...NONE, outside: launcher };
}
