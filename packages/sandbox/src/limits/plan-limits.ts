import { type ResourceLimits, SandboxUnavailableError } from "@robot-lab/core";
import { amountsOf } from "./amounts.js";
import { KERNEL_LIMITS, type LimitHost } from "./limit-host.js";
import { setting } from "./setting.js";
import { whyNotHeld } from "./why-not-held.js";

/**
 * The program that sets the limits and becomes what is run behind it, as an argument vector; empty without limits, of which only those
 * that a kernel holds to count. A pure function.
 *
 * Throws a SandboxUnavailableError (`grant_not_expressible`) when scripts cannot be held to one of them here.
 */
export function planLimits(limits: ResourceLimits, host: LimitHost): readonly string[] {
	const wanted = KERNEL_LIMITS.filter((name) => limits[name] !== undefined);
	const refused = wanted.flatMap((name) => {
		const why = whyNotHeld(name, host);
		return why === undefined ? [] : [`limits.${name}, because ${why}`];
	});
	if (refused.length > 0) throw notExpressible(refused);
	const { setter, platform, own } = host;
	return wanted.length === 0 || setter === undefined ? [] : setting(amountsOf(limits, own), { setter, platform });
}

const notExpressible = (refused: readonly string[]): SandboxUnavailableError =>
	new SandboxUnavailableError(
		"grant_not_expressible",
		`The script cannot be held to ${refused.join(", nor to ")}. To run it without, take it out of the skill's limits or of sandbox.limits.`,
	);
