import { tmpdir } from "node:os";
import { isAtOrBelow } from "@robot-lab/core/paths";
import { crossedLinks } from "../host/crossed-links.js";
import { findInterpreters } from "../host/find-interpreters.js";
import { homeDirectory } from "../host/home-directory.js";
import { absoluteOr, realOr } from "../host/host-paths.js";
import { SYSTEM_PROGRAMS } from "../host/system-programs.js";
import type { HostFacts } from "./host-facts.js";

export interface HostFactsRequest {
	/** Every path that goes into the profile, and the spellings a script will use for them. */
	readonly paths: readonly string[];
	readonly command: readonly string[];
	readonly cwd: string;
	readonly searchPath: string;
}

/** Which developer tools are in use: `xcode-select` keeps it as a link. */
const DEVELOPER_LINK = "/var/db/xcode_select_link";
const XCODE = /^(.+\.app\/Contents)\/Developer$/;
const BEHIND_XCODE = ["Developer", "Frameworks", "SharedFrameworks"];

/** Looks at this computer for what a profile depends on. Never throws: what cannot be found out is left as it is spelt. */
export function gatherHostFacts({ paths, command, cwd, searchPath }: HostFactsRequest): HostFacts {
	const home = homeDirectory();
	const interpreters = findInterpreters({ command, cwd, searchPath, home });
	const spelt = [...paths, cwd].map(absoluteOr);
	return {
		home,
		workingDirectory: realOr(cwd),
		temporaryDirectory: realOr(tmpdir()),
		realPaths: new Map(paths.map((path) => [path, realOr(path)])),
		links: [...new Set([...spelt.flatMap(crossedLinks), ...interpreters.links])],
		toolRoots: [...interpreters.roots, ...developerTools()],
		loneInterpreters: interpreters.lone,
	};
}

function developerTools(): readonly string[] {
	if (crossedLinks(DEVELOPER_LINK).length === 0) return [];
	const root = realOr(DEVELOPER_LINK);
	if (SYSTEM_PROGRAMS.some((system) => isAtOrBelow(root, system))) return [];
	const contents = XCODE.exec(root)?.[1];
	return contents === undefined ? [root] : BEHIND_XCODE.map((name) => `${contents}/${name}`);
}
