import { intersectLimits } from "../capability/intersect.js";
import type { ResourceLimits } from "../config/config.js";
import { config } from "../config/configure.js";
import type { ScriptOptions } from "./script-executor.js";

const DEFAULT_OUTPUT_BYTES = 1024 * 1024;

/** The tighter of what a bundle declares and what is configured, limit by limit. */
export function scriptLimits({ capabilities }: Pick<ScriptOptions, "capabilities">): ResourceLimits {
	return intersectLimits(capabilities.limits ?? {}, config().sandbox?.limits ?? {});
}

/**
 * Bytes of output a run may keep of each of its streams: what the caller asks for, 1 MiB by default, but no more than `limits` allow,
 * in halves where there are two streams. Every executor may rely on it.
 */
export function outputBudget(
	{ maxOutputBytes, streams }: Pick<ScriptOptions, "maxOutputBytes" | "streams">,
	limits: ResourceLimits,
): number {
	const whole = Math.min(maxOutputBytes ?? DEFAULT_OUTPUT_BYTES, limits.outputBytes ?? Number.POSITIVE_INFINITY);
	return streams === "separate" ? Math.floor(whole / 2) : whole;
}

/** The limits that are set and concern more than output, by their names in the configuration. Core holds no script to them; an executor may. */
export function limitsBeyondOutput(limits: ResourceLimits): readonly string[] {
	return Object.entries(limits).flatMap(([name, limit]) => (limit === undefined || name === "outputBytes" ? [] : [name]));
}
