import type { SkillGrant } from "../config/config.js";
import { Capabilities } from "./capabilities.js";

/**
 * What counts as asked for where the host granted something to a bundle. What it may reach is the grant's alone: what is written there holds, whatever a
 * later SKILL.md asks for. Time and limits bound what it costs and stay the bundle's own where the grant says nothing of them. It is never trusted.
 */
export function grantedInstead(declared: Capabilities, { fsRead, fsWrite, network, timeout, limits }: SkillGrant): Capabilities {
	return new Capabilities({
		fsRead,
		fsWrite,
		network,
		timeout: timeout ?? declared.timeout,
		limits: limits ?? declared.limits,
		trust: "external",
	});
}
