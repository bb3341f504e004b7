import {
	type Capabilities,
	runUnconfined,
	type ScriptOptions,
	type ScriptResult,
	scriptSurroundings,
	type UnconfinedBounds,
} from "@robot-lab/core";
import { confinedEnvironment } from "../grant/environment.js";
import { homeDirectory } from "../host/home-directory.js";
import { withScratch } from "./scratch.js";

export interface ScrubbedRun {
	readonly command: readonly string[];
	readonly options: ScriptOptions;
	readonly grant: Capabilities;
	readonly envPass: readonly string[];
	readonly platform: NodeJS.Platform;
}

/**
 * Runs a script unconfined with the environment of a confined one, its own temporary directory included. Hygiene and no confinement:
 * what the host's environment holds the script still finds, for instance in /proc.
 */
export async function runScrubbed(run: ScrubbedRun, bounds: UnconfinedBounds): Promise<ScriptResult> {
	const { command, options, grant, envPass, platform } = run;
	const { variables } = scriptSurroundings(options);
	return withScratch((scratchDir) => {
		const context = { host: process.env, variables, envPass, grant, scratchDir, home: homeDirectory(), platform };
		return runUnconfined(command, options, { ...bounds, environment: confinedEnvironment(context) });
	});
}
