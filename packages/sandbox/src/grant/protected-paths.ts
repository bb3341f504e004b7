import { segmentsOf } from "@robot-lab/core/paths";

/**
 * Files and directories by which whoever writes them has a program of the host run code later, without being asked, relative to a
 * directory that may be written.
 */
const PERSISTENT: readonly string[] = [
	// Agents start the servers, hooks and commands that are written here.
	".agents",
	".claude/agents",
	".claude/commands",
	".claude/hooks",
	".claude/settings.json",
	".claude/settings.local.json",
	".claude/skills",
	".codex",
	".cursor",
	".gemini",
	".kiro",
	".mcp.json",
	".opencode",
	".windsurf",
	// A project of this library's user: where it is trusted, it names MCP servers, which are started, and says how scripts are confined.
	"config/robot_lab.yml",
	// Shells read them when they start or end, or, .envrc by direnv, enter the directory.
	".bash_aliases",
	".bash_login",
	".bash_logout",
	".bash_profile",
	".bashrc",
	".cshrc",
	".envrc",
	".kshrc",
	".login",
	".logout",
	".profile",
	".tcshrc",
	".zlogin",
	".zlogout",
	".zprofile",
	".zshenv",
	".zshrc",
	// Git runs hooks and what its configuration names; commondir says where to look for both.
	".git/commondir",
	".git/config",
	".git/config.worktree",
	".git/hooks",
	".gitconfig",
	".gitmodules",
	// Where core.hooksPath leads by custom, and what pre-commit runs at each commit.
	".githooks",
	".husky",
	".pre-commit-config.yaml",
	// Mercurial runs hooks too.
	".hg/hgrc",
	// Editors run the tasks and open the interpreters that are named here; ripgrep runs the preprocessor.
	".devcontainer",
	".exrc",
	".idea",
	".ripgreprc",
	".vscode",
	".zed",
];

/** The same, only where the directory they lie in is what may be written: a home directory never is, and elsewhere they are ordinary. */
const PERSISTENT_IN_HOME: readonly string[] = [
	".config/autostart",
	".config/environment.d",
	".config/fish",
	".config/git",
	".config/robot_lab",
	".config/systemd",
	"Library/LaunchAgents",
	"Library/LaunchDaemons",
];

/**
 * What is protected in a writable directory, as names below it. A directory that is itself a part of a protected path, as `.git` is,
 * counts; one that is a protected path or below was asked for by name. Letters of either case are the same to most Macs.
 */
export function protectedNames(writable: string): readonly (readonly string[])[] {
	const segments = segmentsOf(writable).map((segment) => segment.toLowerCase());
	const restOf = (path: string, least: 0 | 1): readonly string[][] => {
		const names = path.split("/");
		const shared = names.findLastIndex((_, count) => count >= least && count < names.length && endsWith(segments, names.slice(0, count)));
		return shared === -1 ? [] : [names.slice(shared)];
	};
	return [...PERSISTENT.flatMap((path) => restOf(path, 0)), ...PERSISTENT_IN_HOME.flatMap((path) => restOf(path, 1))];
}

/** {@link protectedNames} as absolute paths. */
export function protectedIn(writable: string): readonly string[] {
	return protectedNames(writable).map((names) => `${writable === "/" ? "" : writable}/${names.join("/")}`);
}

/** The directories below `writable` on the way to what is protected in it, as absolute paths. */
export function waysToProtected(writable: string): readonly string[] {
	const ways = protectedNames(writable).flatMap((names) => names.slice(1).map((_, index) => names.slice(0, index + 1).join("/")));
	return [...new Set(ways)].map((way) => `${writable === "/" ? "" : writable}/${way}`);
}

const endsWith = (segments: readonly string[], names: readonly string[]): boolean =>
	names.every((name, index) => segments[segments.length - names.length + index] === name.toLowerCase());
