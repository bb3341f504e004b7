import { ConfigurationError } from "../errors/configuration-error.js";
import type { ChosenSkill } from "../matching/choose-skills.js";
import { type NamedSkills, namedSkills } from "../matching/named-skills.js";
import { ABORTED, unlessAborted } from "../process/unless-aborted.js";
import type { AgentSkill } from "../skill/agent-skill.js";
import type { RunPublisher } from "../stream/run-publisher.js";
import type { MatchedSkill } from "../stream/stream-event.js";
import { didYouMean } from "../text/nearest-names.js";
import type { RunOptions } from "./run-options.js";
import type { RobotSkills } from "./skills-for-run.js";

/** The skills that a message is answered with. */
export interface SkillsOfMessage {
	/** Instructions and scripts of these are there. */
	readonly active: readonly AgentSkill[];
	/** The model may load these. */
	readonly offered: readonly AgentSkill[];
}

const NO_SKILLS: SkillsOfMessage = { active: [], offered: [] };

/** Whose run it is, as far as skills go. */
export interface SkillSurroundings {
	/** The skills that the robot and its templates name. */
	readonly named: readonly AgentSkill[];
	readonly options: Pick<RunOptions, "skills" | "signal">;
	readonly run: RunPublisher;
}

/**
 * Chooses the skills and tells of it. Rejects with a ConfigurationError for a skill that is asked for and not there, and for an embedder that is
 * configured and cannot be loaded.
 */
export async function skillsOfMessage(
	skills: RobotSkills | undefined,
	message: string,
	{ named, options, run }: SkillSurroundings,
): Promise<SkillsOfMessage> {
	const { signal } = options;
	if (skills === undefined) {
		for (const name of options.skills ?? []) throw notThere(name, []);
		return NO_SKILLS;
	}
	const pool = await unlessAborted(skills.pool(named), signal);
	if (pool === ABORTED) return NO_SKILLS;
	const said = namedSkills(
		message,
		pool.map(({ name }) => name),
	);
	if (said.unknown !== undefined) tellUnknown(said.unknown, run);
	const asked = [...(options.skills ?? []), ...said.names].map((name) => requireSkill(name, pool));
	const answer = await unlessAborted(skills.choose(said.message, { skills: pool, asked, signal }), signal);
	if (answer === ABORTED) return NO_SKILLS;
	const { chosen, ...answered } = answer;
	run.tell("metadata.updated", { type: "skills", matches: chosen.map(matchedSkill), ...answered });
	return { active: skillsOf(chosen, "active"), offered: skillsOf(chosen, "candidate") };
}

function requireSkill(name: string, pool: readonly AgentSkill[]): AgentSkill {
	const skill = pool.find((each) => each.name === name);
	if (skill === undefined) throw notThere(name, pool);
	return skill;
}

/** What begins like a skill's name stays part of the message; whoever mistyped it should know. */
function tellUnknown({ written, near }: NonNullable<NamedSkills["unknown"]>, run: RunPublisher): void {
	const message = `${written} is no skill of this robot and is read as text. Did you mean ${near.join(", ")}?`;
	run.tell("metadata.updated", { type: "warning", message });
}

function notThere(name: string, pool: readonly AgentSkill[]): ConfigurationError {
	const names = pool.map((skill) => skill.name);
	const list = names.length === 0 ? "It has none." : `It has: ${names.slice(0, 20).join(", ")}.`;
	return new ConfigurationError(`The robot has no skill "${name}".${didYouMean(name, names)} ${list}`);
}

const skillsOf = (chosen: readonly ChosenSkill[], wanted: ChosenSkill["tier"]): readonly AgentSkill[] =>
	chosen.filter(({ tier }) => tier === wanted).map(({ skill }) => skill);

const matchedSkill = ({ skill, ...how }: ChosenSkill): MatchedSkill => ({ skill: skill.name, path: skill.path, ...how });
