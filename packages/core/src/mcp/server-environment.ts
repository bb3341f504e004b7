import type { McpProgramOptions } from "../config/mcp-server-options.js";

const PASSED = ["PATH", "HOME", "USER", "LOGNAME", "SHELL", "TERM", "TMPDIR", "LANG", "TZ"];

/**
 * The whole environment of a server: a few variables that programs need to find their way, and what was given by name. Keys and
 * tokens lie in the environment of many hosts, and a server that somebody else wrote gets none that nobody named.
 *
 * @param host The environment that is passed on from.
 */
export function serverEnvironment(
	{ env = {}, envPass = [] }: Pick<McpProgramOptions, "env" | "envPass">,
	host: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> {
	const names = [...PASSED, ...Object.keys(host).filter((name) => name.startsWith("LC_")), ...envPass];
	const passed = names.flatMap((name) => {
		const value = host[name];
		return value === undefined ? [] : [[name, value] as const];
	});
	return { ...Object.fromEntries(passed), ...env };
}
