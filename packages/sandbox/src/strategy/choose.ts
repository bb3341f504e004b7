import { type Capabilities, type Config, config as currentConfig, SandboxUnavailableError, trustedDirectories } from "@robot-lab/core";
import { Bubblewrap, type BubblewrapOptions } from "../bubblewrap/bubblewrap.js";
import { isMacos } from "../host/is-macos.js";
import { Seatbelt, type SeatbeltOptions } from "../seatbelt/seatbelt.js";
import { Null } from "./null.js";
import type { Strategy } from "./strategy.js";

/** What a strategy is chosen by, and what the chosen one is made with. */
export interface StrategyOptions extends SeatbeltOptions, BubblewrapOptions {
	/** Default: this one. */
	readonly platform?: NodeJS.Platform;
	/** Default: the current one. Its `sandbox.backend` and `sandbox.require` count; whether confinement is enabled at all does not. */
	readonly config?: Config;
}

/**
 * The strategy for a grant: Null for a bundle that is trusted, else what `sandbox.backend` names; `auto` is Seatbelt on macOS and
 * Null elsewhere. Only selects, and touches nothing.
 *
 * Throws a SandboxUnavailableError (`unsupported_platform`) for a backend that was named and that the platform cannot have, and for none
 * where `sandbox.require` wants one.
 */
export function chooseStrategy(grant: Capabilities, options: StrategyOptions): Strategy {
	const { platform = process.platform, config = currentConfig(), ...own } = options;
	if (grant.isCore) return new Null();
	const { backend = "auto", require = false, protect = true, envPass = [] } = config.sandbox ?? {};
	const trustCore = trustedDirectories(config);
	const name = backend === "auto" ? (isMacos(platform) ? "seatbelt" : "none") : backend;
	switch (name) {
		case "seatbelt":
			if (!isMacos(platform)) unsupported("seatbelt", "macOS", platform);
			return new Seatbelt(grant, { protect, trustCore, ...own });
		case "bubblewrap":
			if (platform !== "linux") unsupported("bubblewrap", "Linux", platform);
			return new Bubblewrap(grant, { protect, trustCore, envPass, ...own });
		case "none":
			if (require) requiredButNone(backend, platform);
			return new Null();
	}
}

function unsupported(backend: string, where: string, platform: NodeJS.Platform): never {
	throw new SandboxUnavailableError(
		"unsupported_platform",
		`sandbox.backend is "${backend}", which only ${where} has; this is ${platform}. Set it to "auto" for what fits the platform, or to "none" to run scripts unconfined.`,
	);
}

function requiredButNone(backend: string, platform: NodeJS.Platform): never {
	const step = platform === "linux" ? 'Set sandbox.backend to "bubblewrap"' : "Run the host on macOS or Linux";
	throw new SandboxUnavailableError(
		"unsupported_platform",
		`sandbox.require is true, and sandbox.backend "${backend}" confines nothing on ${platform}. ${step}, or sandbox.require to false.`,
	);
}
