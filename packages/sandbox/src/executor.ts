import {
	Capabilities,
	type Config,
	config,
	refusedResult,
	SandboxUnavailableError,
	type ScriptExecutor,
	type ScriptOptions,
	type ScriptResult,
	scriptEnding,
	unconfinedExecutor,
} from "@robot-lab/core";
import { chooseStrategy } from "./choose.js";
import { runConfined } from "./confined-run.js";
import { isEnabled } from "./enabled.js";
import { runNull } from "./null-run.js";
import { warnOnce } from "./warn-once.js";

/** What an executor takes from its surroundings. A test of the macOS path stands in for macOS here and nowhere else. */
export interface ExecutorHost {
	readonly platform: NodeJS.Platform;
	readonly choose: typeof chooseStrategy;
}

/**
 * The executor that `@robot-lab/sandbox` installs. While `sandbox.enabled` is not true it runs scripts as core does; else it gives
 * each script what its bundle declares and the ceiling allows, for at most the grant's timeout.
 */
export const Executor: ScriptExecutor = createExecutor({ platform: process.platform, choose: chooseStrategy });

export function createExecutor(host: ExecutorHost): ScriptExecutor {
	return {
		specificationVersion: "v1",
		name: "sandbox",
		async run(command, options) {
			// Once for the whole run: what changes while it begins must not part what it is checked by from what it is run by.
			const settings = config();
			if (isEnabled(settings)) return told(await runEnabled({ command, options, host, settings }), options);
			warnOnce(
				"ROBOT_LAB_SANDBOX_NOT_ENABLED",
				"@robot-lab/sandbox is imported but not enabled: set sandbox.enabled: true, as in configure({ sandbox: { enabled: true } }). Scripts run unconfined.",
			);
			return unconfinedExecutor.run(command, options);
		},
	};
}

interface EnabledRun {
	readonly command: readonly string[];
	readonly options: ScriptOptions;
	readonly host: ExecutorHost;
	readonly settings: Config;
}

async function runEnabled({ command, options, host, settings }: EnabledRun): Promise<ScriptResult> {
	const { capabilities, skillDir } = options;
	const { platform } = host;
	const grant = capabilities.intersect(Capabilities.ceiling(settings));
	const spellings = [...capabilities.fsRead, ...capabilities.fsWrite];
	try {
		const choose = (more: object = {}) => host.choose(grant, { skillDir, command, spellings, platform, config: settings, ...more });
		if (choose().name !== "none") return await runConfined({ command, options, grant, strategyFor: choose, platform });
	} catch (error) {
		if (SandboxUnavailableError.isInstance(error)) return refusedResult(error.code, error.message);
		throw error;
	}
	if (!grant.isCore) warnUnconfined(platform);
	return runNull(command, options, grant);
}

function warnUnconfined(platform: NodeJS.Platform): void {
	warnOnce(
		"ROBOT_LAB_SANDBOX_UNCONFINED",
		`sandbox.enabled is true, but scripts run unconfined: this version confines on macOS only, and this is ${platform}. Their timeout holds; what they read, write and reach is not limited.`,
	);
}

function told(result: ScriptResult, options: ScriptOptions): ScriptResult {
	const { reason, detail } = scriptEnding(result);
	options.onLifecycle?.(reason, detail);
	return result;
}
