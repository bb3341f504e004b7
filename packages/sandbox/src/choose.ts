import { type Capabilities, type Config, config as currentConfig, SandboxUnavailableError } from "@robot-lab/core";
import { isMacos } from "./enabled.js";
import { Null } from "./null/null.js";
import { Seatbelt, type SeatbeltOptions } from "./seatbelt/seatbelt.js";
import type { Strategy } from "./strategy.js";

/** What a strategy is chosen by, and what the chosen one is made with. */
export interface StrategyOptions extends SeatbeltOptions {
	/** Default: this one. */
	readonly platform?: NodeJS.Platform;
	/** Default: the current one. Its `sandbox.backend` counts; whether confinement is enabled at all does not. */
	readonly config?: Config;
}

/**
 * The strategy for a grant: Null for a bundle that is trusted, else what `sandbox.backend` names; `auto` is Seatbelt on macOS and
 * Null elsewhere. Only selects, and touches nothing.
 *
 * Throws a SandboxUnavailableError (`unsupported_platform`, `backend_missing`) for a backend that was named and cannot be had.
 */
export function chooseStrategy(grant: Capabilities, options: StrategyOptions): Strategy {
	const { platform = process.platform, config = currentConfig(), ...own } = options;
	const backend = config.sandbox?.backend ?? "auto";
	if (grant.isCore || backend === "none") return new Null();
	if (backend === "auto") return isMacos(platform) ? new Seatbelt(grant, own) : new Null();
	if (backend !== "seatbelt") {
		throw new SandboxUnavailableError(
			"backend_missing",
			`sandbox.backend is "${backend}", which this version of @robot-lab/sandbox does not have. Set it to "auto", "seatbelt" or "none".`,
		);
	}
	if (isMacos(platform)) return new Seatbelt(grant, own);
	throw new SandboxUnavailableError(
		"unsupported_platform",
		`sandbox.backend is "seatbelt", which only macOS has; this is ${platform}. Set it to "auto" or "none" to run scripts unconfined here.`,
	);
}
