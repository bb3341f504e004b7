import { ConfigurationError } from "../errors/configuration-error.js";
import { SECTION_NAMES, SETTINGS } from "./settings.js";

/** The variables of a process. */
export interface Variables {
	readonly [name: string]: string | undefined;
}

/** The section of a file that counts in every environment, besides what stands outside of any section. */
export const ALL_ENVIRONMENTS = "defaults";

/** Sections that a file may have besides the one of the present environment. */
export const USUAL_ENVIRONMENTS: readonly string[] = ["development", "test", "staging", "production"];

/** The environment in which nothing is looked for in somebody's home directory by itself: tests go the same everywhere. */
export const TEST_ENVIRONMENT = "test";

/** The environment whose section of a file counts: `ROBOT_LAB_ENV`, else `NODE_ENV`, else `development`. Throws a ConfigurationError for what is no name of one. */
export function environmentName(variables: Variables): string {
	const variable = variables.ROBOT_LAB_ENV ? "ROBOT_LAB_ENV" : "NODE_ENV";
	const name = variables[variable] || "development";
	if (/^[A-Za-z][\w-]*$/.test(name) && !isTaken(name)) return name;
	throw new ConfigurationError(
		`${variable} ${JSON.stringify(name)} cannot be the name of an environment: take one of letters, digits, "-" and "_" that no setting has, such as ${USUAL_ENVIRONMENTS.join(", ")}.`,
	);
}

const isTaken = (name: string): boolean => name === ALL_ENVIRONMENTS || SETTINGS.has(name) || SECTION_NAMES.has(name);
