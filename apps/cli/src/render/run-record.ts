import { type AgentSkill, type RobotEvent, RobotLabError, type SkillMatch } from "@robot-lab/core";
import type { ModelChoice } from "../model.js";
import { capabilitiesRecord, ceilingRecord } from "./capabilities.js";
import type { GrantView } from "./grant.js";

type GrantOf = (skill: AgentSkill) => GrantView;

/** The first line of a run's JSON lines. */
export const startRecord = ({ model, isFallback }: ModelChoice): object => ({ type: "started", model, isFallback });

/** The last line of a run that failed; one that came to its end ends with `finished`. */
export function failureRecord(error: unknown): object {
	const message = error instanceof Error ? error.message : String(error);
	return { type: "failed", code: RobotLabError.isInstance(error) ? error.code : "unexpected", message };
}

/** One event as plain data: a skill by its name and path, with what it asked for and what it is given. */
export function eventRecord(event: RobotEvent, grantOf: GrantOf): object {
	return event.type === "skills_matched"
		? { ...event, matches: event.matches.map((match) => matchRecord(match, grantOf(match.skill))) }
		: event;
}

function matchRecord({ skill, score, confidence }: SkillMatch, { declared, ceiling, grant }: GrantView): object {
	return {
		skill: skill.name,
		path: skill.path,
		score,
		confidence,
		declared: capabilitiesRecord(declared),
		ceiling: ceilingRecord(ceiling),
		grant: { ...capabilitiesRecord(grant), refused: grant.refused },
	};
}
