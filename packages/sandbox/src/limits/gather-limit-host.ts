import { existsSync } from "node:fs";
import type { StrategyName } from "../strategy/strategy.js";
import type { LimitHost } from "./limit-host.js";
import { ownLimits } from "./own-limits.js";
import { type LimitProbe, type ProbeRequest, probeLimits } from "./probe-limits.js";

/** By absolute paths: a `PATH` that somebody else wrote must not choose what limits. */
const SETTERS: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
	linux: ["/usr/bin/prlimit", "/bin/prlimit"],
	darwin: ["/bin/sh"],
};

const probes = new Map<string, Promise<LimitProbe>>();

/**
 * What decides here which limits hold. Limits are tried for real, and once that went well not again in this process for the strategy.
 *
 * Rejects with bubblewrap's own SandboxUnavailableError where it does not work.
 */
export async function gatherLimitHost(platform: NodeJS.Platform, strategy: StrategyName): Promise<LimitHost> {
	const own = ownLimits();
	const isRoot = process.getuid?.() === 0;
	const setter = SETTERS[platform]?.find((path) => existsSync(path));
	if (setter === undefined) return { platform, strategy, isRoot, setter, counted: "user", own };
	const { isSet, counted } = await probed({ setter, platform, strategy, own });
	return { platform, strategy, isRoot, setter: isSet ? setter : undefined, counted, own };
}

/** A computer that is overloaded may look as if it could not: that is no reason to refuse for as long as this process lives. */
const isLasting = ({ isSet, counted }: LimitProbe, strategy: StrategyName): boolean =>
	isSet && (strategy !== "bubblewrap" || counted !== "user");

function probed(request: ProbeRequest): Promise<LimitProbe> {
	const key = `${request.platform} ${request.strategy}`;
	const known = probes.get(key);
	if (known !== undefined) return known;
	const running = probeLimits(request);
	probes.set(key, running);
	running.then(
		(probe) => isLasting(probe, request.strategy) || probes.delete(key),
		() => probes.delete(key),
	);
	return running;
}
