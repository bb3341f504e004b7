import {
	Capabilities,
	type Config,
	config,
	refusedResult,
	SandboxUnavailableError,
	type ScriptExecutor,
	type ScriptOptions,
	type ScriptResult,
	scriptSurroundings,
	tellEnding,
	unconfinedExecutor,
} from "@robot-lab/core";
import { probeBubblewrap } from "../bubblewrap/probe.js";
import { chooseStrategy } from "../strategy/choose.js";
import { isEnabled, scrubsUnconfined } from "../strategy/enabled.js";
import { whyUnconfined } from "../strategy/why-unconfined.js";
import { hasWarned, warnOnce } from "../warn-once.js";
import { runConfined } from "./confined-run.js";
import { runWithinLimits } from "./unconfined-run.js";

const UNCONFINED = "ROBOT_LAB_SANDBOX_UNCONFINED";

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
		confines: (declared) => isEnabled() && confines(declared, host),
		async run(command, options) {
			// Once for the whole run: what changes while it begins must not part what it is checked by from what it is run by.
			const settings = config();
			if (isEnabled(settings)) return tellEnding(await runEnabled({ command, options, host, settings }), options);
			warnOnce(
				"ROBOT_LAB_SANDBOX_NOT_ENABLED",
				"@robot-lab/sandbox is imported but not enabled: set sandbox.enabled: true, as in configure({ sandbox: { enabled: true } }). Scripts run unconfined.",
			);
			return unconfinedExecutor.run(command, options);
		},
	};
}

/** A refusal to run at all confines, too. */
function confines(declared: Capabilities, { choose, platform }: ExecutorHost): boolean {
	try {
		return choose(declared, { skillDir: "/", platform }).name !== "none";
	} catch (error) {
		return SandboxUnavailableError.isInstance(error);
	}
}

/** A run while confinement is enabled. */
export interface EnabledRun {
	readonly command: readonly string[];
	readonly options: ScriptOptions;
	readonly host: ExecutorHost;
	readonly settings: Config;
}

/** Runs a script by the settings given, whatever the process's own are. Never throws for what a script or its grant is like. */
export async function runEnabled({ command, options, host, settings }: EnabledRun): Promise<ScriptResult> {
	const { capabilities, skillDir } = options;
	const { cwd } = scriptSurroundings(options);
	const { platform } = host;
	const grant = capabilities.intersect(Capabilities.ceiling(settings));
	const spellings = [...capabilities.fsRead, ...capabilities.fsWrite];
	try {
		const choose = (more: object = {}) => host.choose(grant, { skillDir, command, spellings, platform, config: settings, ...more });
		const run = { command, options: { ...options, cwd }, grant, platform, envPass: settings.sandbox?.envPass ?? [] };
		if (choose().name !== "none") return await runConfined({ ...run, strategyFor: choose });
		if (!grant.isCore) await warnUnconfined(platform, settings);
		return await runWithinLimits({ ...run, scrubs: scrubsUnconfined(settings) });
	} catch (error) {
		if (SandboxUnavailableError.isInstance(error)) return refusedResult(error.code, error.message);
		throw error;
	}
}

async function warnUnconfined(platform: NodeJS.Platform, { sandbox }: Config): Promise<void> {
	if (hasWarned(UNCONFINED)) return;
	const backend = sandbox?.backend ?? "auto";
	const way = platform === "linux" && backend === "auto" ? ` ${await wayOut()}` : "";
	warnOnce(
		UNCONFINED,
		`sandbox.enabled is true, but scripts run unconfined: ${whyUnconfined(backend, platform)}. Their timeout and limits hold; what they read, write and reach is not limited.${way}`,
	);
}

async function wayOut(): Promise<string> {
	const probe = await probeBubblewrap();
	if (probe.ok)
		return `Set sandbox.backend to "bubblewrap" (--backend bubblewrap for the command robot-lab) to confine them: bubblewrap works here (${probe.program}).`;
	return `sandbox.backend "bubblewrap" would confine them, but does not work here: ${probe.message}`;
}
