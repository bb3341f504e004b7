import type { Capabilities } from "@robot-lab/core";
import { isAtOrBelow } from "@robot-lab/core/paths";
import { isMacos } from "./enabled.js";

export type Environment = Readonly<Record<string, string | undefined>>;

export interface ConfinedEnvironment {
	/** The host process's variables. */
	readonly host: Environment;
	/** What the executor and the caller of this run add. */
	readonly variables: Readonly<Record<string, string>>;
	readonly grant: Capabilities;
	/** The script's own directory for temporary files. */
	readonly scratchDir: string;
	/** Real path of the home directory. */
	readonly home: string;
	readonly platform: NodeJS.Platform;
}

/** What a script needs of its host to know where and for whom it runs. */
const INHERITED = /^(PATH|HOME|USER|LOGNAME|SHELL|LANG|LC_[A-Z_]+|TZ|TERM|COLUMNS)$/;
/** Never inherited, whatever the list above comes to say. A caller may still hand one over by name. */
const SECRET = /KEY|TOKEN|SECRET|PASSWORD|CREDENTIAL/i;
/** Variables by which whoever wrote them chooses code that programs load, or a helper they talk to. Not even a caller hands these over. */
const INJECTING: ReadonlySet<string> = new Set([
	...["BASH_ENV", "ENV", "SHELLOPTS", "BASHOPTS", "PS4", "PROMPT_COMMAND", "ZDOTDIR", "FPATH"],
	...["NODE_OPTIONS", "NODE_PATH", "NODE_REPL_EXTERNAL_MODULE"],
	...["PYTHONSTARTUP", "PYTHONPATH", "PYTHONHOME", "PYTHONUSERBASE", "PYTHONPLATLIBDIR", "PYTHONPYCACHEPREFIX", "PYTHONEXECUTABLE"],
	...["PYTHONBREAKPOINT", "PYTHONWARNINGS"],
	...["RUBYOPT", "RUBYLIB", "RUBYSHELL", "RUBYGEMS_GEMDEPS", "GEM_HOME", "GEM_PATH", "BUNDLE_GEMFILE"],
	...["PERL5OPT", "PERL5LIB", "PERLLIB", "PERL5DB", "PERL5SHELL"],
	...["JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS", "CLASSPATH"],
	...["LUA_INIT", "LUA_PATH", "LUA_CPATH", "PHPRC", "PHP_INI_SCAN_DIR", "R_PROFILE", "R_PROFILE_USER", "R_ENVIRON", "R_ENVIRON_USER"],
	...["DOTNET_STARTUP_HOOKS", "CORECLR_PROFILER_PATH", "COR_PROFILER_PATH", "PSModulePath"],
	...["OPENSSL_CONF", "OPENSSL_MODULES", "OPENSSL_ENGINES", "GCONV_PATH", "GLIBC_TUNABLES", "LESSOPEN", "LESSCLOSE"],
	...["SSH_AUTH_SOCK", "SSH_ASKPASS", "GPG_AGENT_INFO"],
]);
/** The same, where every name of a kind is. */
const INJECTING_KIND = /^(BASH_FUNC_|LD_|DYLD_|GIT_|LUA_(INIT|PATH|CPATH)_)/;

const DEFAULT_PATH = "/usr/bin:/bin:/usr/sbin:/sbin";

/** The whole environment of a confined script: an allow-list of the host's, our own, the caller's. A pure function. */
export function confinedEnvironment(input: ConfinedEnvironment): Readonly<Record<string, string>> {
	const { host, variables, scratchDir } = input;
	const inherited = entriesOf(host).filter(([name]) => INHERITED.test(name) && !SECRET.test(name));
	const handedOver = entriesOf(variables).filter(([name]) => !INJECTING.has(name) && !INJECTING_KIND.test(name));
	return {
		PATH: DEFAULT_PATH,
		...Object.fromEntries(inherited),
		TMPDIR: scratchDir,
		...gitVariables(input),
		...(isMacos(input.platform) && { DYLD_USE_DTRACE: "0", xcrun_nocache: "1" }),
		...Object.fromEntries(handedOver),
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

const entriesOf = (environment: Environment): [string, string][] =>
	Object.entries(environment).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
