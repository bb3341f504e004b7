import type { SkillsConfig } from "../config/config.js";
import type { AgentSkill } from "../skill/agent-skill.js";
import type { SkillReason } from "../stream/stream-event.js";
import type { SkillMatch } from "./skill-match.js";

/** A skill that a message is answered with. */
export interface ChosenSkill {
	readonly skill: AgentSkill;
	/** `active`: its instructions and scripts are there. `candidate`: the model is told of it and may load it. */
	readonly tier: "active" | "candidate";
	readonly reason: SkillReason;
	/** Absent where nobody matched it: it was named. */
	readonly score?: number;
	readonly confidence?: number;
}

/** What skills are chosen from, and how. */
export interface SkillChoice {
	/** Those that were asked for by name, in that order. They are active whatever they hold. */
	readonly named: readonly AgentSkill[];
	/** What the matcher found, best first. */
	readonly matches: readonly SkillMatch[];
	readonly activation: SkillsConfig["activation"];
	/** Bytes of instructions of all that are active. */
	readonly maxBytes: number;
}

/** The skills that a message is answered with: those that are active first, the likeliest first. */
export function chooseSkills({ named, matches, activation, maxBytes }: SkillChoice): readonly ChosenSkill[] {
	const asked = [...new Set(named)];
	const chosen: ChosenSkill[] = asked.map((skill) => ({ skill, tier: "active", reason: "named" }));
	let bytes = asked.reduce((sum, skill) => sum + sizeOf(skill), 0);
	for (const match of matches) {
		const { skill, score, confidence } = match;
		if (asked.includes(skill)) continue;
		const fits = bytes + sizeOf(skill) <= maxBytes;
		const reason = reasonOf(match, activation, fits);
		if (reason === "fits") bytes += sizeOf(skill);
		chosen.push({ skill, tier: reason === "fits" ? "active" : "candidate", reason, score, confidence });
	}
	const offered = activation === "prepend" ? chosen.filter(({ reason }) => reason !== "may_fit") : chosen;
	return [...offered.filter(({ tier }) => tier === "active"), ...offered.filter(({ tier }) => tier === "candidate")];
}

function reasonOf({ tier, isBeyondTopK }: SkillMatch, activation: SkillsConfig["activation"], fits: boolean): SkillReason {
	if (tier === "candidate" && !isBeyondTopK) return "may_fit";
	if (activation === "tool") return "on_request";
	if (isBeyondTopK) return "beyond_top_k";
	return fits ? "fits" : "over_budget";
}

const sizeOf = ({ instructions }: AgentSkill): number => Buffer.byteLength(instructions);
