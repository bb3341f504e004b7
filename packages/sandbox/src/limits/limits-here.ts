import type { ResourceLimits } from "@robot-lab/core";
import type { StrategyName } from "../strategy/strategy.js";
import { gatherLimitHost } from "./gather-limit-host.js";
import type { KernelLimit } from "./limit-host.js";
import { whyNotHeld } from "./why-not-held.js";

/** Which limits hold: `true`, or why a script that has one is not run, as a clause. */
export type LimitsHere = { readonly [Name in keyof ResourceLimits]-?: true | string };

/** Which limits scripts are held to here under a strategy. Rejects with bubblewrap's own SandboxUnavailableError where it does not work. */
export async function limitsHere(platform: NodeJS.Platform, strategy: StrategyName): Promise<LimitsHere> {
	const host = await gatherLimitHost(platform, strategy);
	const held = (name: KernelLimit): true | string => whyNotHeld(name, host) ?? true;
	return {
		memoryMb: held("memoryMb"),
		processes: held("processes"),
		fileSizeMb: held("fileSizeMb"),
		cpuSeconds: held("cpuSeconds"),
		outputBytes: true,
	};
}
