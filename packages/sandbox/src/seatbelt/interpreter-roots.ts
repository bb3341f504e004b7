import { isAtOrBelow, segmentsOf } from "@robot-lab/core/paths";
import { SYSTEM_PROGRAMS } from "./base-rules.js";

/** Directories that hold one version of one interpreter and nothing of the user's. */
const VERSION_DIRECTORIES: readonly RegExp[] = [
	/^(.+\/versions\/node\/v[^/]+)\//, // nvm
	/^(.+\/\.(?:pyenv|rbenv|nodenv|goenv|plenv)\/versions\/[^/]+)\//,
	/^(.+\/(?:\.asdf|asdf|mise|rtx)\/installs\/[^/]+\/[^/]+)\//,
	/^(.+\/uv\/python\/[^/]+)\//,
	/^(.+\/\.volta\/tools\/image\/[^/]+\/[^/]+)\//,
	/^(.+\/\.?fnm\/node-versions\/[^/]+)\//,
	/^(.+\/(?:miniconda|anaconda|miniforge|mambaforge)[^/]*(?:\/envs\/[^/]+)?)\/bin\//,
	/^(.*\/node_modules\/(?:@[^/]+\/)?[^/.@][^/]*)\//, // the runtime as a package
	/^(\/Library\/Frameworks\/[^/]+\.framework\/Versions\/[^/]+)\//,
	/^(\/nix\/store)\//,
];

/** A version manager's stand-in looks the real program up among these. */
const SHIMS = /^(.+)\/shims\/[^/]+$/;
const BEHIND_SHIMS = ["bin", "installs", "lib", "libexec", "plugins", "shims", "version", "versions"];

/** Homebrew spreads a program over these: its libraries are other formulae. Not etc and var, which hold services' settings and data. */
const HOMEBREW = /^(\/opt\/homebrew|\/usr\/local)\/Cellar\//;
const BEHIND_HOMEBREW = ["Cellar", "Frameworks", "bin", "etc/ca-certificates", "etc/openssl@3", "lib", "opt", "share"];

const PREFIX = /^(.+)\/s?bin\/[^/]+$/;
const BEHIND_PREFIX = ["Frameworks", "bin", "lib", "libexec", "share"];

/**
 * What has to be readable for the program at `realPath` to start, besides the system's own directories.
 * Inside `home` that is the directory of its version where one is recognised, and else the file alone: never `home` itself.
 */
export function interpreterRoots(realPath: string, home: string): readonly string[] {
	if (SYSTEM_PROGRAMS.some((root) => isAtOrBelow(realPath, root))) return [];
	const below = (root: string, names: readonly string[]): string[] => names.map((name) => `${root}/${name}`);
	for (const pattern of VERSION_DIRECTORIES) {
		const root = pattern.exec(realPath)?.[1];
		if (root !== undefined && !isAtOrBelow(home, root)) return [root];
	}
	const shims = SHIMS.exec(realPath)?.[1];
	if (shims !== undefined && !isAtOrBelow(home, shims)) return below(shims, BEHIND_SHIMS);
	const homebrew = HOMEBREW.exec(realPath)?.[1];
	if (homebrew !== undefined) return below(homebrew, BEHIND_HOMEBREW);
	const prefix = PREFIX.exec(realPath)?.[1];
	if (prefix !== undefined && segmentsOf(prefix).length > 1 && !isAtOrBelow(prefix, home)) return below(prefix, BEHIND_PREFIX);
	return [realPath];
}
