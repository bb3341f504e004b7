import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { Capabilities, type Config, config, SandboxUnavailableError, ScriptTool } from "@robot-lab/core";
import { probeBubblewrap } from "./bubblewrap/probe.js";
import { chooseStrategy } from "./choose.js";
import { isEnabled } from "./enabled.js";
import { SANDBOX_EXEC } from "./seatbelt/seatbelt.js";
import type { StrategyName } from "./strategy.js";
import { whyUnconfined } from "./why-unconfined.js";

/** What of a grant holds here, whatever a script does. */
export interface Enforced {
	readonly fsRead: boolean;
	readonly fsWrite: boolean;
	readonly network: boolean;
	/**
	 * Other processes can neither be inspected nor signalled. It says nothing about the end of what a script started: on macOS a process
	 * that left the script's group and lost its parent before the process table was first read is not found.
	 */
	readonly processes: boolean;
	/** The host's secrets are not in the script's environment. */
	readonly environment: boolean;
}

export interface SandboxStatus {
	/** Whether the executor of this package is the one that runs scripts. */
	readonly installed: boolean;
	readonly enabled: boolean;
	/** What an untrusted bundle's script runs under here. */
	readonly strategy: StrategyName;
	readonly enforced: Enforced;
	/** Why nothing, or less than asked for, is enforced. */
	readonly reason?: string;
}

const NOTHING: Enforced = { fsRead: false, fsWrite: false, network: false, processes: false, environment: false };
const EVERYTHING: Enforced = { fsRead: true, fsWrite: true, network: true, processes: true, environment: true };

/** What would happen to a script that were run now. */
export async function sandboxStatus(platform: NodeJS.Platform = process.platform): Promise<SandboxStatus> {
	const settings = config();
	const state = { installed: ScriptTool.executor?.name === "sandbox", enabled: isEnabled(settings) };
	if (!state.enabled) return { ...state, strategy: "none", enforced: NOTHING, reason: "sandbox.enabled is not true" };
	const outcome = await strategyHere(platform, settings);
	const enforced = outcome.strategy === "none" || outcome.reason !== undefined ? NOTHING : EVERYTHING;
	if (state.installed) return { ...state, ...outcome, enforced };
	const name = ScriptTool.executor?.name;
	const other = name === undefined ? "no executor is installed" : `the executor "${name}" is installed`;
	return { ...state, strategy: "none", enforced: NOTHING, reason: `${other}; import "@robot-lab/sandbox"` };
}

async function strategyHere(
	platform: NodeJS.Platform,
	settings: Config,
): Promise<{ readonly strategy: StrategyName; readonly reason?: string }> {
	try {
		const strategy = chooseStrategy(new Capabilities(), { skillDir: "/", platform, config: settings }).name;
		if (strategy === "seatbelt") return { strategy, ...(await missingProgram()) };
		if (strategy === "bubblewrap") return { strategy, ...(await failedProbe()) };
		return { strategy, reason: `nothing confines scripts here: ${whyUnconfined(settings.sandbox?.backend ?? "auto", platform)}` };
	} catch (error) {
		if (SandboxUnavailableError.isInstance(error)) return { strategy: "none", reason: `scripts are not run: ${error.message}` };
		throw error;
	}
}

async function failedProbe(): Promise<{ readonly reason?: string }> {
	const probe = await probeBubblewrap();
	return probe.ok ? {} : { reason: `scripts are not run: ${probe.message}` };
}

async function missingProgram(): Promise<{ readonly reason?: string }> {
	try {
		await access(SANDBOX_EXEC, constants.X_OK);
		return {};
	} catch {
		return { reason: `scripts are not run: ${SANDBOX_EXEC} is missing or not executable` };
	}
}
