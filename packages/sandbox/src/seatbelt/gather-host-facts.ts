import { statSync } from "node:fs";
import { tmpdir } from "node:os";
import { isAtOrBelow } from "@robot-lab/core/paths";
import { protectedIn } from "../grant/protected-paths.js";
import { crossedLinks } from "../host/crossed-links.js";
import { findInterpreters } from "../host/find-interpreters.js";
import { homeDirectory } from "../host/home-directory.js";
import { absoluteOr, realOr } from "../host/host-paths.js";
import { SYSTEM_PROGRAMS } from "../host/system-programs.js";
import type { HostFacts } from "./host-facts.js";

export interface HostFactsRequest {
	/** Every path that goes into the profile, and the spellings a script will use for them. */
	readonly paths: readonly string[];
	/** Those of them that may be written: names at their top may be protected. Default: none. */
	readonly guarded?: readonly string[];
	readonly command: readonly string[];
	readonly cwd: string;
	readonly searchPath: string;
}

/** Which developer tools are in use: `xcode-select` keeps it as a link. */
const DEVELOPER_LINK = "/var/db/xcode_select_link";
const XCODE = /^(.+\.app\/Contents)\/Developer$/;
const BEHIND_XCODE = ["Developer", "Frameworks", "SharedFrameworks"];

/** Looks at this computer for what a profile depends on. Never throws: what cannot be found out is left as it is spelt. */
export function gatherHostFacts({ paths, guarded = [], command, cwd, searchPath }: HostFactsRequest): HostFacts {
	const home = homeDirectory();
	const interpreters = findInterpreters({ command, cwd, searchPath, home });
	const spelt = [...paths, cwd].map(absoluteOr);
	const realPaths = new Map(paths.map((path) => [path, realOr(path)]));
	return {
		home,
		workingDirectory: realOr(cwd),
		temporaryDirectory: realOr(tmpdir()),
		realPaths,
		kinds: new Map([...realPaths.values()].flatMap((path) => kindEntry(path))),
		protectedTargets: guarded.flatMap((path) => protectedIn(realPaths.get(path) ?? path)).flatMap(elsewhere),
		links: [...new Set([...spelt.flatMap(crossedLinks), ...interpreters.links])],
		toolRoots: [...interpreters.roots, ...developerTools()],
		loneInterpreters: interpreters.lone,
	};
}

function kindEntry(path: string): readonly (readonly [string, "file" | "nothing"])[] {
	try {
		const stats = statSync(path, { throwIfNoEntry: false });
		if (stats === undefined) return [[path, "nothing"]];
		return stats.isDirectory() ? [] : [[path, "file"]];
	} catch {
		return [];
	}
}

/** Where the path leads, if not to itself. */
function elsewhere(path: string): readonly string[] {
	const real = realOr(path);
	return real === path ? [] : [real];
}

function developerTools(): readonly string[] {
	if (crossedLinks(DEVELOPER_LINK).length === 0) return [];
	const root = realOr(DEVELOPER_LINK);
	if (SYSTEM_PROGRAMS.some((system) => isAtOrBelow(root, system))) return [];
	const contents = XCODE.exec(root)?.[1];
	return contents === undefined ? [root] : BEHIND_XCODE.map((name) => `${contents}/${name}`);
}
