import type { AgentSkill } from "../skill/agent-skill.js";
import type { MatcherFallback } from "../stream/stream-event.js";

/** A skill that fits a message, or may fit it. */
export interface SkillMatch {
	readonly skill: AgentSkill;
	/** How alike the message and the skill's texts are, above 0 to 1: their cosine, of which example messages decide half. */
	readonly score: number;
	/** How likely the skill is the right one, from 0 to 1: by the embedder's calibration, without one the score. */
	readonly confidence: number;
	/** `active`: it fits; `candidate`: it may fit, and the model is to decide. */
	readonly tier: "active" | "candidate";
	/** On a candidate that fits: `topK` others fit better. */
	readonly isBeyondTopK?: true;
}

/** What fits a message, and who says so. */
export interface SkillMatches {
	/** Those that are active first, of each tier the likeliest first. */
	readonly matches: readonly SkillMatch[];
	/** The id of the embedder that answered. */
	readonly embedder: string;
	/** Why it was not the one that was chosen. Absent where it was. */
	readonly fallback?: MatcherFallback;
}
