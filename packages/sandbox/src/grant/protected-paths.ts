import { segmentsOf } from "@robot-lab/core/paths";

/** Files and directories by which whoever writes them has a program of the host run code later, relative to a directory that may be written. */
const PERSISTENT: readonly string[] = [
	".bash_login",
	".bash_logout",
	".bash_profile",
	".bashrc",
	".claude/agents",
	".claude/commands",
	".envrc",
	".git/config",
	".git/hooks",
	".gitconfig",
	".gitmodules",
	".idea",
	".mcp.json",
	".profile",
	".vscode",
	".zlogin",
	".zlogout",
	".zprofile",
	".zshenv",
	".zshrc",
];

/**
 * What would be protected in a writable directory, if it is there. A directory that is itself a part of a protected path, as `.git` is,
 * counts; one that is a protected path or below was asked for by name.
 */
export function protectedIn(writable: string): readonly string[] {
	const segments = segmentsOf(writable);
	return PERSISTENT.flatMap((path) => {
		const names = path.split("/");
		const shared = names.findLastIndex((_, count) => count < names.length && endsWith(segments, names.slice(0, count)));
		return [`${writable === "/" ? "" : writable}/${names.slice(Math.max(0, shared)).join("/")}`];
	});
}

const endsWith = (segments: readonly string[], names: readonly string[]): boolean =>
	names.length > 0 && names.every((name, index) => segments[segments.length - names.length + index] === name);
