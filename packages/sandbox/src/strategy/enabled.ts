import { type Config, config as currentConfig } from "@robot-lab/core";

/** Whether confinement is asked for: `sandbox.enabled` of the configuration, false when there is no such section. */
export function isEnabled(config: Config = currentConfig()): boolean {
	return config.sandbox?.enabled === true;
}

/** Whether, while confinement is asked for, scripts that run unconfined get no more of the host's environment than confined ones. */
export function scrubsUnconfined(config: Config = currentConfig()): boolean {
	return config.sandbox?.env === "scrub";
}
