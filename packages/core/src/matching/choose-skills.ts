import type { SkillsConfig } from "../config/config.js";
import type { AgentSkill } from "../skill/agent-skill.js";
import type { SkillMatch } from "./skill-match.js";

/**
 * Why a skill was chosen. `named`: somebody asked for it by name. `fits`: the embedder is sure. `may_fit`: it is not. `on_request`: it fits, and skills are
 * loaded by the model only (`activation: "tool"`). `over_budget`: it fits, and its instructions would not.
 */
export type SkillReason = "named" | "fits" | "may_fit" | "on_request" | "over_budget";

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
	for (const { skill, score, confidence, tier } of matches) {
		if (asked.includes(skill)) continue;
		const fits = bytes + sizeOf(skill) <= maxBytes;
		const reason = reasonOf(tier, activation, fits);
		if (reason === "fits") bytes += sizeOf(skill);
		chosen.push({ skill, tier: reason === "fits" ? "active" : "candidate", reason, score, confidence });
	}
	const offered = activation === "prepend" ? chosen.filter(({ reason }) => reason !== "may_fit") : chosen;
	return [...offered.filter(({ tier }) => tier === "active"), ...offered.filter(({ tier }) => tier === "candidate")];
}

function reasonOf(tier: SkillMatch["tier"], activation: SkillsConfig["activation"], fits: boolean): SkillReason {
	if (tier === "candidate") return "may_fit";
	if (activation === "tool") return "on_request";
	return fits ? "fits" : "over_budget";
}

const sizeOf = ({ instructions }: AgentSkill): number => Buffer.byteLength(instructions);
