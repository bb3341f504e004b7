import { Capabilities, type Config, config, type SandboxBackend, SandboxUnavailableError, ScriptTool } from "@robot-lab/core";
import { type LimitsHere, limitsHere } from "../limits/limits-here.js";
import { chooseStrategy } from "./choose.js";
import { isEnabled, scrubsUnconfined } from "./enabled.js";
import { NOT_ENFORCED, type NotEnforced } from "./not-enforced.js";
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
	/** The host's secrets are not in the script's environment. Alone, as by `sandbox.env: "scrub"`, it keeps no script from looking elsewhere. */
	readonly environment: boolean;
}

export interface SandboxStatus {
	/** Whether the executor of this package is the one that runs scripts. */
	readonly installed: boolean;
	readonly enabled: boolean;
	/** What an untrusted bundle's script runs under here. */
	readonly strategy: StrategyName;
	readonly enforced: Enforced;
	/** What is let through although the rest is enforced. Empty where nothing is. */
	readonly notEnforced: readonly NotEnforced[];
	/** Which limits scripts are held to. Absent where none is but `outputBytes`: confinement is not enabled, or scripts are not run. */
	readonly limits?: LimitsHere;
	/** Whether scripts are not run at all, because what was asked for cannot be had. */
	readonly refuses: boolean;
	/** Why nothing, or less than asked for, is enforced. */
	readonly reason?: string;
}

const NOTHING: Enforced = { fsRead: false, fsWrite: false, network: false, processes: false, environment: false };
const EVERYTHING: Enforced = { fsRead: true, fsWrite: true, network: true, processes: true, environment: true };

/** What the status is of. A test of the macOS path stands in for macOS here. */
export interface StatusHost {
	readonly platform: NodeJS.Platform;
	readonly choose: typeof chooseStrategy;
}

/** What would happen to a script that were run now. */
export async function sandboxStatus(on: Partial<StatusHost> = {}): Promise<SandboxStatus> {
	const host = { platform: process.platform, choose: chooseStrategy, ...on };
	const settings = config();
	const state = { installed: ScriptTool.executor?.name === "sandbox", enabled: isEnabled(settings) };
	const nothing = { ...state, strategy: "none", enforced: NOTHING, notEnforced: [], refuses: false } as const;
	if (!state.enabled) return { ...nothing, reason: "sandbox.enabled is not true" };
	const outcome = await outcomeHere(host, settings);
	if (state.installed && outcome.refuses === true) return { ...nothing, ...outcome };
	if (state.installed) {
		const limits = await limitsHere(host.platform, outcome.strategy);
		return { ...nothing, ...outcome, limits, ...(outcome.reason === undefined && enforcedBy(outcome.strategy)) };
	}
	const name = ScriptTool.executor?.name;
	const other = name === undefined ? "no executor is installed" : `the executor "${name}" is installed`;
	return { ...nothing, reason: `${other}; import "@robot-lab/sandbox"` };
}

const enforcedBy = (strategy: StrategyName): Pick<SandboxStatus, "enforced" | "notEnforced"> => ({
	enforced: EVERYTHING,
	notEnforced: NOT_ENFORCED[strategy],
});

/** What `sandbox.env: "scrub"` does where nothing confines. */
const SCRUBBED: Pick<SandboxStatus, "enforced" | "notEnforced"> = {
	enforced: { ...NOTHING, environment: true },
	notEnforced: [{ what: "the environment of other processes", why: "a script that is not confined can look it up, in /proc for instance" }],
};

interface Outcome extends Partial<Pick<SandboxStatus, "enforced" | "notEnforced" | "refuses">> {
	readonly strategy: StrategyName;
	readonly reason?: string;
}

async function outcomeHere({ platform, choose }: StatusHost, settings: Config): Promise<Outcome> {
	try {
		const strategy = choose(new Capabilities(), { skillDir: "/", platform, config: settings });
		const { name } = strategy;
		if (name === "none") {
			const reason = `nothing confines scripts here: ${whyUnconfined(backendOf(settings), platform)}`;
			return { strategy: name, reason, ...(scrubsUnconfined(settings) && SCRUBBED) };
		}
		const readiness = await strategy.probe?.();
		return { strategy: name, ...(readiness?.ok === false && { refuses: true, reason: `scripts are not run: ${readiness.message}` }) };
	} catch (error) {
		if (SandboxUnavailableError.isInstance(error))
			return { strategy: "none", refuses: true, reason: `scripts are not run: ${error.message}` };
		throw error;
	}
}

const backendOf = ({ sandbox }: Config): SandboxBackend => sandbox?.backend ?? "auto";
