import { PROJECT, SCRATCH } from "../pretend-mac.js";
import {
	type Check,
	can,
	canChange,
	cannot,
	cannotChange,
	cannotRead,
	canRead,
	directory,
	file,
	ISLAND,
	PINNED,
	PROTECTED,
} from "./check.js";

const OUT = `${PROJECT}/out`;

/** What the grants of the scenarios open, and close in it. */
export const SCENARIO_GRANT = {
	read: [`${PROJECT}/data`, `${OUT}/keep/me`],
	write: [OUT, `${OUT}/keep/me/logs`],
};

export const GRANTED: readonly Check[] = [
	...[`${PROJECT}/data/in.csv`, `${OUT}/a`, `${OUT}/keep/me/x`, `${OUT}/.git/config`].map(canRead),
	...canChange(`${OUT}/a`),
	...canChange(`${OUT}/keep/other`),
	...canChange(`${OUT}/keep/me-too`),
	...canChange(`${OUT}/keep/me/logs/x`),
];

/** What lies beside a grant, or in it and is only to be read. */
export const CLOSED_AROUND: readonly Check[] = [
	...["file-write-create", "file-write-data", "file-write-unlink", "file-write-flags"].map((operation) =>
		cannot(`no ${operation} of what is to be read`, operation, file(`${PROJECT}/data/in.csv`)),
	),
	cannotRead(`${PROJECT}/.env`),
	cannotRead(`${PROJECT}/data2/x`),
	cannot("beside what may be written", "file-write-create", file(`${PROJECT}/out2`)),
	...["file-write-create", "file-write-data"].map((operation) => cannot(`${operation} above the grant`, operation, file(PROJECT))),
	...cannotChange(`${OUT}/keep/me/x`, ISLAND),
	...cannotChange(`${OUT}/keep/me/logs-alike`, ISLAND),
];

/** Whoever writes these has a program of the host run code later. Written down once more, so that no name goes without being missed. */
export const PERSISTENT_NAMES: readonly string[] = [
	...[".bash_aliases", ".bash_login", ".bash_logout", ".bash_profile", ".bashrc", ".cshrc", ".kshrc", ".login", ".logout", ".profile"],
	...[".tcshrc", ".zlogin", ".zlogout", ".zprofile", ".zshenv", ".zshrc", ".envrc", ".ripgreprc"],
	...[".git/hooks", ".git/config", ".git/config.worktree", ".git/commondir", ".gitconfig", ".gitmodules", ".githooks", ".husky"],
	...[".kiro", ".opencode", ".windsurf", ".zed", ".devcontainer", ".exrc", ".hg/hgrc"],
	...[".mcp.json", ".vscode", ".idea", ".agents", ".codex", ".cursor", ".gemini", ".pre-commit-config.yaml", ".claude/commands"],
	...["config/robot_lab.yml", ".claude/agents", ".claude/hooks", ".claude/skills", ".claude/settings.json", ".claude/settings.local.json"],
];

/** What a Mac takes for a protected name, and what is none though it looks like one. */
export const OTHER_SPELLINGS = [".GIT/HOOKS/x", ".Git/Config", ".git/hoo\u212as/x", ".zſhrc", ".ﬁx", ".g\u200cit/hooks", "\u200d.git"]
	.concat(
		"\ufeff.vscode/x",
		"conﬁg/robot_lab.yml",
		"Config/Robot_Lab.yml",
		"con\u200cfig/robot_lab.yml/x",
		".git/\u200chooks",
		".BASH_PROﬁLE",
	)
	.map((name) => `${OUT}/${name}`);
export const NEIGHBOURS = [
	".git/objects/x",
	".git/HEAD",
	".git/hooks-alike",
	".git/xhooks",
	".github/x",
	"git/hooks",
	".bashrc2",
	"x.bashrc",
]
	.concat(
		".claude/notes.md",
		".vscodex",
		"größe/.git/config",
		"日本.txt",
		"größe",
		"a/.bashrc",
		".config/fish/x",
		"config/other.yml",
		"a/config/robot_lab.yml",
		"xgit/hooks",
		"-git",
	)
	.map((name) => `${OUT}/${name}`);

export const PERSISTENCE: readonly Check[] = [
	...PERSISTENT_NAMES.map((name) => cannot(`${name} cannot be made`, "file-write-create", file(`${OUT}/${name}`), PROTECTED)),
	...PERSISTENT_NAMES.map((name) => cannot(`nothing in ${name} can be made`, "file-write-create", file(`${OUT}/${name}/x`), PROTECTED)),
	...[".git/hooks", ".git/hooks/pre-commit", ".zshrc"].flatMap((name) => cannotChange(`${OUT}/${name}`, PROTECTED)),
	...OTHER_SPELLINGS.map((path) => cannot(`${path} cannot be made`, "file-write-create", file(path), PROTECTED)),
	cannot("a file .git, which would say where git looks, cannot be written", "file-write-data", file(`${OUT}/.git`), PROTECTED),
	...PERSISTENT_NAMES.map((name) => `${OUT}/keep/me/logs/${name}`).map((path) =>
		cannot(`${path} cannot be made`, "file-write-create", file(path), PROTECTED),
	),
	...["link", "clone"].map((way) =>
		cannot(`no file-${way} of a hook there`, `file-${way}`, file(`${OUT}/keep/me/logs/.git/hooks/x`), PROTECTED),
	),
	can("a protected name can be made among the temporary files", "file-write-create", file(`${SCRATCH}/.zshrc`)),
	...NEIGHBOURS.map((path) => can(`${path} can be made`, "file-write-create", file(path))),
];

/** What would carry something protected or read-only to where it is not. */
export const RENAMES: readonly Check[] = [
	...[".git", ".claude", ".GIT"].flatMap((name) => [
		cannot(`${name} cannot be moved away`, "file-write-unlink", directory(`${OUT}/${name}`), PROTECTED),
		cannot(`nothing can be moved to ${name}`, "file-write-create", directory(`${OUT}/${name}`), PROTECTED),
	]),
	...["", "/keep", "/keep/me/logs"].flatMap((name) => [
		cannot(`out${name} cannot be moved away`, "file-write-unlink", directory(`${OUT}${name}`), PINNED),
		cannot(`nothing can be moved to out${name}`, "file-write-create", directory(`${OUT}${name}`), PINNED),
	]),
	can("a directory of its own can be moved away", "file-write-unlink", directory(`${OUT}/mine`)),
	can("a directory of its own can be moved there", "file-write-create", directory(`${OUT}/other`)),
];
