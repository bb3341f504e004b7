import { limitsBeyondOutput, type ResourceLimits, SandboxUnavailableError } from "@robot-lab/core";

/** Throws a SandboxUnavailableError (`grant_not_expressible`) for limits that no strategy enforces: all but `outputBytes`, which the runner does. */
export function checkLimits(limits: ResourceLimits): void {
	const names = limitsBeyondOutput(limits);
	if (names.length === 0) return;
	throw new SandboxUnavailableError(
		"grant_not_expressible",
		`The script cannot be held to ${names.map((name) => `limits.${name}`).join(", ")}: nothing enforces that in this version. Take it out of the skill's limits or of sandbox.limits.`,
	);
}
