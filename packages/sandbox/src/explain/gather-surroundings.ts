import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { type Capabilities, type Config, scriptSurroundings } from "@robot-lab/core";
import { confinedEnvironment } from "../grant/environment.js";
import { crossedLinks } from "../host/crossed-links.js";
import { homeDirectory } from "../host/home-directory.js";
import { absoluteOr, realOr } from "../host/host-paths.js";
import { SCRATCH_PREFIX } from "../run/scratch.js";
import type { Surroundings } from "./surroundings.js";

export interface SurroundingsRequest {
	readonly declared: Capabilities;
	readonly grant: Capabilities;
	readonly skillDir: string;
	readonly cwd: string | undefined;
	readonly platform: NodeJS.Platform;
	readonly config: Config;
}

/** Looks at this computer for what a script would be run with. */
export function gatherSurroundings({ declared, grant, skillDir, platform, config, ...own }: SurroundingsRequest): Surroundings {
	const { cwd, variables } = scriptSurroundings({ skillDir, ...(own.cwd !== undefined && { cwd: own.cwd }) });
	const scratchDir = join(realOr(tmpdir()), `${SCRATCH_PREFIX}XXXXXX`);
	const { envPass = [] } = config.sandbox ?? {};
	return {
		grant,
		skillDir: realOr(skillDir),
		scratchDir,
		cwd,
		home: homedir(),
		links: [...declared.fsRead, ...declared.fsWrite].map(absoluteOr).flatMap(crossedLinks),
		environment: (host) => confinedEnvironment({ host, variables, envPass, grant, scratchDir, home: homeDirectory(), platform }),
		platform,
	};
}
