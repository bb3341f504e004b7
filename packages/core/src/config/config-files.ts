import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import type { Variables } from "./environment-name.js";

/** What configuration is looked for in. */
export interface ConfigSurroundings {
	readonly variables: Variables;
	/** Absent where there is none: then there are no user's files. */
	readonly home?: string;
	/** The working directory. Absent where there is none any more: then there is no project's file. */
	readonly directory?: string;
}

/** Those of this process, now. */
export function processSurroundings(): ConfigSurroundings {
	const [home, directory] = [orNothing(homedir), orNothing(() => process.cwd())];
	return { variables: process.env, ...(home !== undefined && { home }), ...(directory !== undefined && { directory }) };
}

/** The user's files, the later one lying over the earlier: both names are in use. */
export function userFiles(surroundings: ConfigSurroundings): readonly string[] {
	const directory = userDirectory(surroundings);
	return directory === undefined ? [] : ["config.yml", "robot_lab.yml"].map((name) => join(directory, name));
}

/** Where it is recorded which projects the user trusts: a directory, beside the user's files. */
export function trustRecord(surroundings: ConfigSurroundings): string | undefined {
	const directory = userDirectory(surroundings);
	return directory === undefined ? undefined : join(directory, "trusted_projects");
}

function userDirectory({ variables, home }: ConfigSurroundings): string | undefined {
	const base = [variables.XDG_CONFIG_HOME, home === undefined ? undefined : join(home, ".config")].find(
		(directory) => directory !== undefined && isAbsolute(directory),
	);
	return base === undefined ? undefined : join(base, "robot_lab");
}

/** The project's file: that of the working directory, and of no directory above it. */
export const projectFile = (directory: string): string => join(directory, "config", "robot_lab.yml");

/** A user without an entry in the system's list has no home directory, and a directory may be gone. */
function orNothing(find: () => string): string | undefined {
	try {
		return find();
	} catch {
		return undefined;
	}
}
