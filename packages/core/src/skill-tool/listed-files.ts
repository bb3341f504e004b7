import type { AgentSkill } from "../skill/agent-skill.js";
import { skillFiles } from "./skill-files.js";

const known = new WeakMap<AgentSkill, Promise<readonly string[]>>();

/** {@link skillFiles}, looked up once for each skill: a skill is what its bundle was when it was loaded, and every message asks. */
export function listedFiles(skill: AgentSkill): Promise<readonly string[]> {
	const earlier = known.get(skill);
	if (earlier !== undefined) return earlier;
	const listing = skillFiles(skill);
	known.set(skill, listing);
	return listing;
}
