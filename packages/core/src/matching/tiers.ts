import { bestRows } from "../embedding/best-rows.js";
import type { Calibration } from "../embedding/embedder.js";
import type { AgentSkill } from "../skill/agent-skill.js";
import type { SkillMatch } from "./skill-match.js";

/** What decides what becomes of a score. */
export interface TierRules {
	readonly calibration: Calibration | undefined;
	/** The score from which a skill is active, inclusive. Absent: the confidence decides. */
	readonly threshold: number | undefined;
	/** The most that are active; what is beyond them is a candidate. */
	readonly topK: number;
	/** The most candidates. */
	readonly candidates: number;
}

/** The skills that fit, active ones first, the likeliest first, of equal ones by name. A score of 0 or less never fits. */
export function tiersOf(skills: readonly AgentSkill[], scores: Float32Array, rules: TierRules): readonly SkillMatch[] {
	const { calibration, threshold, topK, candidates } = rules;
	const nameOf = (row: number): string => skills[row]?.name ?? "";
	const isBefore = (row: number, other: number): boolean => nameOf(row) < nameOf(other) || (nameOf(row) === nameOf(other) && row < other);
	// at least two, so that the best has a rival
	const best = bestRows(scores, Math.max(2, topK + candidates), isBefore);
	const [first = 0, second = 0] = best.map((row) => scores[row] as number);
	const matches = best.map((row, rank): SkillMatch => {
		const score = Math.min(1, scores[row] as number);
		const confidence = confidenceOf(score, rank === 0 ? second : first, calibration);
		const isActive = threshold === undefined ? confidence >= (calibration?.activate ?? Number.POSITIVE_INFINITY) : score >= threshold;
		return { skill: skills[row] as AgentSkill, score, confidence, tier: isActive ? "active" : "candidate" };
	});
	const active = matches.filter(({ tier }) => tier === "active").slice(0, topK);
	const others = matches.filter((match) => !active.includes(match) && match.confidence >= (calibration?.offer ?? 0)).slice(0, candidates);
	return Object.freeze([...active, ...others.map(offered)].map((match) => Object.freeze(match)));
}

const offered = (match: SkillMatch): SkillMatch => ({
	...match,
	tier: "candidate",
	...(match.tier === "active" && { isBeyondTopK: true }),
});

function confidenceOf(score: number, rival: number, calibration: Calibration | undefined): number {
	if (calibration === undefined) return score;
	const { bias, score: byScore, margin } = calibration;
	return 1 / (1 + Math.exp(-(bias + byScore * score + margin * (score - rival))));
}
