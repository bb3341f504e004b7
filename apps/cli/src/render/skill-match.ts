import type { AgentSkill, Embedder, NamedSkills, SkillMatch, SkillMatches } from "@robot-lab/core";
import { columns } from "./columns.js";
import { printableLine } from "./printable.js";
import type { Style } from "./style.js";

/** What fits a message, and by whose rules. */
export interface MatchView {
	readonly named: NamedSkills;
	readonly answer: SkillMatches;
	readonly rules: Pick<Embedder, "calibration" | "threshold">;
	/** What does not fit, where it was asked for. */
	readonly others: readonly SkillMatch[];
	/** What has nothing in common with the message, where it was asked for. */
	readonly unlike: readonly AgentSkill[];
}

/** A line for each skill: what becomes of it, score, confidence, name, why. */
export function renderMatch({ named, answer, rules, others, unlike }: MatchView, style: Style): string[] {
	const rows = [
		...named.names.map((name) => ["active", "", "", printableLine(name), "named in the message"]),
		...answer.matches.map((match) => [match.tier, ...facts(match), reasonOf(match, rules)]),
		...others.map((match) => ["-", ...facts(match), "does not fit, or others fit better"]),
		...unlike.map(({ name }) => ["-", "", "", printableLine(name), "a score of 0 or less"]),
	];
	const near =
		named.unknown &&
		`${printableLine(named.unknown.written)} is no skill; near it: ${named.unknown.near.map((name) => printableLine(name)).join(", ")}`;
	if (rows.length === 0) return near ? [near] : [];
	const head = ["", "score", "confidence", "skill", `why (${printableLine(answer.embedder)})`];
	const [first = "", ...lines] = columns([head, ...rows]);
	return [...(near ? [near] : []), style.faint(first), ...lines];
}

/** The same as plain data. */
export function matchRecord({ named, answer, rules, others, unlike }: MatchView): object {
	const record = ({ skill, score, confidence }: SkillMatch, tier: string): object => ({
		name: skill.name,
		path: skill.path,
		tier,
		score,
		confidence,
	});
	return {
		embedder: answer.embedder,
		...(answer.fallback && { fallback: answer.fallback }),
		...(rules.calibration && { calibration: rules.calibration }),
		...(rules.threshold !== undefined && { threshold: rules.threshold }),
		named: named.names,
		...(named.unknown && { unknown: named.unknown }),
		message: named.message,
		matches: [
			...answer.matches.map((match) => record(match, match.tier)),
			...others.map((match) => record(match, "none")),
			...unlike.map(({ name, path }) => ({ name, path, tier: "none" })),
		],
	};
}

const facts = ({ skill, score, confidence }: SkillMatch): string[] => [score.toFixed(2), confidence.toFixed(2), printableLine(skill.name)];

function reasonOf({ tier, confidence }: SkillMatch, { calibration, threshold }: MatchView["rules"]): string {
	if (calibration === undefined) return tier === "active" ? `a score of ${threshold} or more` : "no calibration: the model decides";
	const { activate = Number.POSITIVE_INFINITY, offer = 0 } = calibration;
	if (tier === "active") return `a confidence of ${activate} or more`;
	return confidence >= activate ? "others fit better" : `a confidence of ${offer} or more`;
}
