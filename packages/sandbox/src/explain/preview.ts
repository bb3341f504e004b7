import { Capabilities, config as currentConfig } from "@robot-lab/core";
import { chooseStrategy } from "../strategy/choose.js";
import type { Strategy } from "../strategy/strategy.js";
import type { PreviewOptions } from "./explanation.js";
import { gatherSurroundings } from "./gather-surroundings.js";
import type { Surroundings } from "./surroundings.js";

/** What would confine a script, and what it would be run with. */
export interface Preview {
	readonly ceiling: Capabilities;
	readonly surroundings: Surroundings;
	/** Whatever `sandbox.enabled` says. `environment` is the script's whole one. Throws as `Sandbox.for` does. */
	readonly choose: (environment: Readonly<Record<string, string>>) => Strategy;
}

/** Looks at the file system. */
export function gatherPreview(options: PreviewOptions): Preview {
	const { capabilities: declared, skillDir, cwd, command, hostFacts, bubblewrapHost } = options;
	const { platform = process.platform, config = currentConfig() } = options;
	const ceiling = Capabilities.ceiling(config);
	const grant = declared.intersect(ceiling);
	const surroundings = gatherSurroundings({ declared, grant, skillDir, cwd, platform, config });
	const spellings = [...declared.fsRead, ...declared.fsWrite];
	const known = { ...(command && { command }), ...(hostFacts && { hostFacts }), ...(bubblewrapHost && { bubblewrapHost }) };
	const choose = (environment: Readonly<Record<string, string>>): Strategy => {
		const { cwd: workingDirectory, scratchDir } = surroundings;
		const searchPath = environment.PATH ?? "";
		const about = { skillDir, cwd: workingDirectory, scratchDir, platform, config, environment, searchPath, spellings };
		return chooseStrategy(grant, { ...about, ...known });
	};
	return { ceiling, surroundings, choose };
}

/**
 * The strategy that the executor would confine a script by, with all that it would tell it: `Sandbox.for` with the grant and the
 * surroundings of a run. Only the name of the directory for temporary files ends in XXXXXX, as nobody knows it before. Runs nothing.
 *
 * Throws a SandboxUnavailableError as `Sandbox.for` does.
 */
export function previewStrategy(options: PreviewOptions): Strategy {
	const { surroundings, choose } = gatherPreview(options);
	return choose(surroundings.environment(process.env));
}
