import { Capabilities, type SandboxBackend, SandboxUnavailableError } from "@robot-lab/core";
import type { ExecutorHost } from "../run/executor.js";
import { chooseStrategy } from "../strategy/choose.js";
import type { StrategyName } from "../strategy/strategy.js";
import type { Laboratory } from "./attempt.js";
import type { Check, DoctorPlatform, DoctorRow } from "./check.js";
import { CHECKS } from "./checks/checks.js";
import { examine } from "./examine.js";
import { inLanes } from "./in-lanes.js";
import { openListeners } from "./listeners.js";
import { noteSpeed } from "./note-speed.js";
import { plantSecret } from "./planted.js";
import { settingsFor } from "./settings.js";

export interface DoctorOptions {
	/** What is to be checked. Default `auto`: what this platform has, whatever is configured. */
	readonly backend?: Exclude<SandboxBackend, "none">;
	/** Ends the checks; the promise rejects then. */
	readonly signal?: AbortSignal;
	/** Called with each row as it comes. */
	readonly onRow?: (row: DoctorRow) => void;
}

export interface DoctorReport {
	readonly platform: NodeJS.Platform;
	/** What was checked; `none` where there is nothing to check. */
	readonly backend: StrategyName;
	/** Why nothing was checked, and what to do. */
	readonly unavailable?: { readonly code: string; readonly message: string };
	readonly rows: readonly DoctorRow[];
	/** Names of the checks that were skipped although every computer of this platform can try them: what they would have shown is unknown. */
	readonly untried: readonly string[];
	/** Whether something was checked and nothing failed. */
	readonly isHealthy: boolean;
}

/** How many checks are under way at a time, each with listeners of its own: much of what a check takes is waiting. */
const LANES = 4;

const OWN_BACKEND: Readonly<Record<DoctorPlatform, Laboratory["backend"]>> = { darwin: "seatbelt", linux: "bubblewrap" };

/**
 * Finds out for real what confinement keeps scripts from on this computer. Each attack is tried without confinement first: one that does
 * not work there either is skipped. Files, listeners and processes are the doctor's own and are gone afterwards; two checks ask the
 * network for the address of example.com. Needs ten seconds or so.
 *
 * What is checked is a backend, with a configuration of the doctor's own; the process's is neither used nor changed. Rejects when
 * it was aborted, and with the system's error when not even the doctor's own files and listeners can be made.
 */
export function runDoctor(options: DoctorOptions = {}): Promise<DoctorReport> {
	return examineHost({ platform: process.platform, choose: chooseStrategy }, options);
}

/** The same for another host, and for some of the checks: a test of the macOS path stands in for macOS here. */
export async function examineHost(
	host: ExecutorHost,
	options: DoctorOptions = {},
	checks: readonly Check[] = CHECKS,
): Promise<DoctorReport> {
	const { platform } = host;
	const named = options.backend === "auto" ? undefined : options.backend;
	const backend = named ?? (isKnown(platform) ? OWN_BACKEND[platform] : "none");
	const unavailable = await whyUnavailable(host, backend);
	if (unavailable !== undefined || backend === "none" || !isKnown(platform)) {
		return { platform, backend, ...(unavailable && { unavailable }), rows: [], untried: [], isHealthy: false };
	}
	const here = checks.filter(({ platforms }) => platforms.includes(platform));
	const rows = await examineAll(here, { host, platform, backend }, options);
	const isOptional = (name: string): boolean => here.some((check) => check.name === name && check.optional === true);
	const untried = rows.flatMap(({ name, outcome }) => (outcome === "skipped" && !isOptional(name) ? [name] : []));
	const isHealthy = rows.some(({ outcome }) => outcome === "ok") && rows.every(({ outcome }) => outcome !== "failed");
	return { platform, backend, rows, untried, isHealthy };
}

const isKnown = (platform: NodeJS.Platform): platform is DoctorPlatform => platform === "darwin" || platform === "linux";

async function whyUnavailable({ platform, choose }: ExecutorHost, backend: StrategyName): Promise<DoctorReport["unavailable"]> {
	if (backend === "none") {
		return { code: "unsupported_platform", message: `Nothing confines scripts on ${platform}. Run the host on macOS or Linux.` };
	}
	try {
		const strategy = choose(new Capabilities(), { skillDir: "/", platform, config: settingsFor(backend, "/") });
		const readiness = await strategy.probe?.();
		return readiness?.ok === false ? { code: readiness.code, message: readiness.message } : undefined;
	} catch (error) {
		if (SandboxUnavailableError.isInstance(error)) return { code: error.code, message: error.message };
		throw error;
	}
}

async function examineAll(
	checks: readonly Check[],
	about: Omit<Laboratory, "listeners" | "signal">,
	{ signal, onRow = () => {} }: DoctorOptions,
): Promise<readonly DoctorRow[]> {
	const listeners = await Promise.all(Array.from({ length: LANES }, openListeners));
	using _ = plantSecret();
	try {
		const laboratories = listeners.map((own) => ({ ...about, listeners: own, signal }));
		const rows = await inLanes(laboratories, checks, { work: examine, tell: onRow });
		// By itself, when nothing else is under way.
		const speeds = await inLanes(laboratories.slice(0, 1), [noteSpeed], { work: (note, laboratory) => note(laboratory), tell: onRow });
		return [...rows, ...speeds];
	} finally {
		await Promise.all(listeners.map((own) => own.close()));
	}
}
