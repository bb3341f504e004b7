import { ConfigurationError } from "../errors/configuration-error.js";
import { type ResolvedRobotOptions, resolveRobotOptions } from "./resolve-robot-options.js";
import type { RobotOptions } from "./robot-options.js";
import { RobotSkills } from "./skills-for-run.js";

/** What a robot is made of. Replaced as a whole when the robot is changed: a run that goes on keeps the one it began with. */
export interface RobotSetup {
	/** As it was given. */
	readonly made: RobotOptions;
	readonly options: ResolvedRobotOptions;
	readonly skills: RobotSkills | undefined;
}

/** What can be changed of a robot; `undefined` takes it away. */
export type RobotChanges = { readonly [Name in Exclude<keyof RobotOptions, "name">]?: RobotOptions[Name] | undefined };

/** Throws ConfigurationError for options that cannot work. */
export function setUpRobot(given: RobotOptions): RobotSetup {
	const made = { ...given };
	const options = resolveRobotOptions(made);
	const { skills, matching = {} } = made;
	const hasSkills = skills !== undefined || options.templates.names.length > 0;
	return { made, options, skills: hasSkills ? new RobotSkills(skills ?? [], matching) : undefined };
}

/** Throws ConfigurationError for changes after which it could not work. */
export function changedSetup({ made }: RobotSetup, changes: RobotChanges): RobotSetup {
	if (typeof changes === "object" && changes !== null && "name" in changes) {
		throw new ConfigurationError("A robot keeps its name: results, memories and logs know it by it. Make another robot.");
	}
	const values = changes.template === undefined ? {} : { context: {} };
	return setUpRobot({ ...made, ...values, ...changes } as RobotOptions);
}
