import type { AgentSkill } from "./agent-skill.js";

/** Where skills come from: a catalog, part of one, or somebody's own. Asked anew for every message. */
export interface SkillSource {
	/** The skill of exactly this name, `undefined` when there is none. */
	find(name: string): Promise<AgentSkill | undefined>;
	/** Every skill there is. The same objects as long as nothing changed: vectors are kept with them. */
	all(): Promise<readonly AgentSkill[]>;
}
