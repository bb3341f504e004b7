import { type Capabilities, isInjectingVariable } from "@robot-lab/core";
import { isAtOrBelow } from "@robot-lab/core/paths";
import { isMacos } from "../host/is-macos.js";

export type Environment = Readonly<Record<string, string | undefined>>;

export interface ConfinedEnvironment {
	/** The host process's variables. */
	readonly host: Environment;
	/** What the executor and the caller of this run add. */
	readonly variables: Readonly<Record<string, string>>;
	/** Exact names of variables of the host that are handed over besides (`sandbox.envPass`). Default none. */
	readonly envPass?: readonly string[];
	readonly grant: Capabilities;
	/** The script's own directory for temporary files. */
	readonly scratchDir: string;
	/** Real path of the home directory. */
	readonly home: string;
	readonly platform: NodeJS.Platform;
}

/** What a script needs of its host to know where and for whom it runs. */
const INHERITED = /^(PATH|HOME|USER|LOGNAME|SHELL|LANG|LC_[A-Z_]+|TZ|TERM|COLUMNS)$/;
/** Never inherited, whatever the list above comes to say. The host's configuration and a caller may still hand one over by name. */
const SECRET = /KEY|TOKEN|SECRET|PASSWORD|CREDENTIAL/i;
/** Whether a variable's name says that its value is nobody's business. */
export function looksSecret(name: string): boolean {
	return SECRET.test(name);
}

const DEFAULT_PATH = "/usr/bin:/bin:/usr/sbin:/sbin";

/**
 * The whole environment of a confined script: an allow-list of the host's and what the host names besides, our own, the caller's. Variables
 * by which code is loaded are in none of them. A pure function.
 */
export function confinedEnvironment(input: ConfinedEnvironment): Readonly<Record<string, string>> {
	const { host, variables, envPass = [], scratchDir } = input;
	const isInherited = (name: string): boolean => envPass.includes(name) || (INHERITED.test(name) && !looksSecret(name));
	return {
		PATH: DEFAULT_PATH,
		...harmless(host, isInherited),
		TMPDIR: scratchDir,
		// uv writes a cache before it starts anything; in one that scripts shared each could put packages of its own for the others.
		UV_CACHE_DIR: `${scratchDir}/uv`,
		...gitVariables(input),
		...(isMacos(input.platform) && { DYLD_USE_DTRACE: "0", xcrun_nocache: "1" }),
		...harmless(variables),
	};
}

/** git takes a settings file that exists and cannot be read for a fatal error, so it is told of none. */
function gitVariables({ grant, home }: ConfinedEnvironment): Record<string, string> {
	const readable = (path: string): boolean => [...grant.fsRead, ...grant.fsWrite].some((root) => isAtOrBelow(path, root));
	return {
		...(!readable(`${home}/.gitconfig`) && { GIT_CONFIG_GLOBAL: "/dev/null" }),
		...(!readable("/private/etc/gitconfig") && !readable("/etc/gitconfig") && { GIT_CONFIG_NOSYSTEM: "1" }),
	};
}

/** A name is looked at before its value is: each value of `process.env` is made anew when it is asked for. */
function harmless(environment: Environment, isWanted: (name: string) => boolean = () => true): Record<string, string> {
	const chosen: [string, string][] = [];
	for (const name of Object.keys(environment)) {
		const value = isWanted(name) && !isInjectingVariable(name) ? environment[name] : undefined;
		if (value !== undefined) chosen.push([name, value]);
	}
	return Object.fromEntries(chosen);
}
