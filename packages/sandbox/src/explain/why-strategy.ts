import { type Capabilities, type Config, limitsBeyondOutput } from "@robot-lab/core";
import { isEnabled } from "../strategy/enabled.js";
import type { Strategy, StrategyName } from "../strategy/strategy.js";
import { whyUnconfined } from "../strategy/why-unconfined.js";

/** Why a script would be run under this strategy, as a clause. */
export function whyStrategy(name: StrategyName, grant: Capabilities, platform: NodeJS.Platform, config: Config): string {
	if (!isEnabled(config)) return "sandbox.enabled is not true";
	if (grant.isCore) return "the bundle is trusted (trust: core)";
	const backend = config.sandbox?.backend ?? "auto";
	if (name === "none") return whyUnconfined(backend, platform);
	return backend === "auto" ? `sandbox.backend is "auto", which is ${name} on ${platform}` : `sandbox.backend is "${backend}"`;
}

/** Why nothing would be run under it on this computer, as a sentence. Never rejects. */
export async function obstacleTo(strategy: Strategy | undefined): Promise<string | undefined> {
	const readiness = await strategy?.probe?.();
	return readiness?.ok === false ? `Scripts are not run here: ${readiness.message}` : undefined;
}

/** Which limits of a grant do not hold, or may not, as sentences. */
export function limitNotes({ limits }: Capabilities, enabled: boolean, platform: NodeJS.Platform): readonly string[] {
	const names = limitsBeyondOutput(limits).join(", ");
	if (names === "") return [];
	if (!enabled) return [`These limits do not hold while sandbox.enabled is not true: ${names}`];
	return platform === process.platform ? [] : [`Whether these limits can be held is only found out on ${platform}: ${names}`];
}
