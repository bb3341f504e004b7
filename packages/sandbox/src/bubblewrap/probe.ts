import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { isAbsolute, join } from "node:path";
import { Capabilities, SandboxUnavailableError } from "@robot-lab/core";
import { type BoundedRunResult, findProgram, runBounded } from "@robot-lab/core/process";
import type { Readiness } from "../strategy/strategy.js";
import { type BubblewrapFeatures, bubblewrapArguments } from "./arguments.js";
import { firstComplaint, hasRun } from "./diagnose.js";
import { type BubblewrapHostRequest, gatherBubblewrapHost } from "./gather-bubblewrap-host.js";
import { type Launch, openLaunch } from "./launch.js";
import { planMounts } from "./mount-plan.js";
import { type Pins, pinMounts } from "./pins.js";
import type { FilterArchitecture } from "./seccomp/call-numbers.js";
import { filterArchitecture } from "./seccomp/filter.js";
import { whyNamespacesFail } from "./why-namespaces-fail.js";

/** Whether bubblewrap confines here, or why not. */
export type Probe =
	| { readonly ok: true; readonly program: string; readonly features: BubblewrapFeatures; readonly architecture: FilterArchitecture }
	| Extract<Readiness, { readonly ok: false }>;

const PROBE_TIMEOUT_MS = 10_000;
const PASSED = 42;
/** `$1` is a file of the host that is not granted. */
const CHECK = `[ ! -e "$1" ] && [ ! -w /usr ] && [ ! -w /proc/sys/vm/swappiness ] && exit ${PASSED}; exit 1`;
/** `--clearenv`. */
const OLDEST: readonly [number, number] = [0, 5];

const probes = new Map<string, Promise<Probe>>();

/** Tries bubblewrap for real, once in a process for each place it is found at. Never rejects. */
export async function probeBubblewrap(
	platform: NodeJS.Platform = process.platform,
	processor: string = process.arch,
	searchPath: string = process.env.PATH ?? "",
): Promise<Probe> {
	if (platform !== "linux") {
		return {
			ok: false,
			code: "unsupported_platform",
			message: `bubblewrap exists on Linux only, and this is ${platform}. Use backend "auto".`,
		};
	}
	const architecture = filterArchitecture(processor);
	if (architecture === undefined) {
		return {
			ok: false,
			code: "unsupported_platform",
			message: `no system call filter is known for the processor ${processor}, and without one scripts are not run under bubblewrap.`,
		};
	}
	const program = findBubblewrap(searchPath);
	if (program === undefined) {
		return {
			ok: false,
			code: "backend_missing",
			message: 'bwrap is in no directory of PATH. Install the package "bubblewrap" of the distribution.',
		};
	}
	const running = probes.get(program) ?? tryProgram(program, architecture);
	probes.set(program, running);
	return running;
}

/** A relative directory of PATH would let whoever owns the working directory choose what confines. */
function findBubblewrap(searchPath: string): string | undefined {
	const trusted = searchPath.split(":").filter(isAbsolute).join(":");
	const found = findProgram("bwrap", "/", trusted);
	return "path" in found ? found.path : undefined;
}

async function tryProgram(program: string, architecture: FilterArchitecture): Promise<Probe> {
	try {
		const features = await featuresOf(program);
		if (typeof features === "string") return { ok: false, code: "probe_failed", message: features };
		const failure = await tryFeatures(program, architecture, features);
		return failure ?? { ok: true, program, features, architecture };
	} catch (error) {
		if (SandboxUnavailableError.isInstance(error)) return { ok: false, code: error.code, message: error.message };
		const why = error instanceof Error ? error.message : String(error);
		return { ok: false, code: "probe_failed", message: `${program} could not be tried: ${why}.` };
	}
}

async function featuresOf(program: string): Promise<BubblewrapFeatures | string> {
	const { output, exitCode, spawnError } = await runBounded([program, "--version"], { timeoutMs: PROBE_TIMEOUT_MS, survivors: "kill" });
	const [, major, minor] = /^bubblewrap (\d+)\.(\d+)/m.exec(output) ?? [];
	if (spawnError !== undefined || exitCode !== 0 || major === undefined || minor === undefined) {
		const said = spawnError?.message ?? firstComplaint(output);
		return `${program} does not answer as bubblewrap does (exit code ${exitCode ?? "none"}). ${said}`.trim();
	}
	const version: readonly [number, number] = [Number(major), Number(minor)];
	if (!isAtLeast(version, OLDEST)) return `${program} is bubblewrap ${version.join(".")}; ${OLDEST.join(".")} or newer is needed.`;
	const isSetuid = (statSync(program).mode & 0o4000) !== 0;
	return { disableUserns: isAtLeast(version, [0, 8]) && !isSetuid, size: isAtLeast(version, [0, 7]) };
}

const isAtLeast = (version: readonly [number, number], other: readonly [number, number]): boolean =>
	version[0] > other[0] || (version[0] === other[0] && version[1] >= other[1]);

const NOTHING: BubblewrapHostRequest = {
	read: [],
	write: [],
	scratchDir: undefined,
	spellings: [],
	command: [],
	cwd: "/",
	searchPath: "",
	network: false,
};

/** Runs a check inside as a script would be run, with a grant of nothing. Leaves nothing behind, however it ends. */
async function tryFeatures(program: string, architecture: FilterArchitecture, features: BubblewrapFeatures): Promise<Probe | undefined> {
	const hidden = mkdtempSync(join(tmpdir(), "robot-lab-probe-"));
	let pins: Pins | undefined;
	let launch: Launch | undefined;
	try {
		const host = gatherBubblewrapHost(NOTHING);
		const plan = planMounts({ grant: new Capabilities(), skillDir: "/usr", cwd: "/", scratchDir: undefined, protect: true, host });
		const args = bubblewrapArguments({ plan, host, network: false, cwd: "/", environment: { PATH: "/usr/bin:/bin" }, features });
		const command = ["/bin/sh", "-c", CHECK, "sh", hidden];
		pins = pinMounts(plan.mounts);
		launch = openLaunch({ program, architecture, arguments: args, command, pins, account: host });
		const { argv, fds, enclosure } = launch;
		const ended = await runBounded(argv, { fds, enclosure, cwd: "/", env: {}, timeoutMs: PROBE_TIMEOUT_MS });
		return failureOf(program, ended, launch.status());
	} finally {
		launch?.close();
		pins?.close();
		rmSync(hidden, { recursive: true, force: true });
	}
}

function failureOf(program: string, ended: BoundedRunResult, status: string): Probe | undefined {
	if (hasRun(status) && ended.exitCode === PASSED) return undefined;
	if (ended.spawnError !== undefined)
		return { ok: false, code: "probe_failed", message: `${program} cannot be started: ${ended.spawnError.message}` };
	if (hasRun(status)) return { ok: false, code: "probe_failed", message: `${program} runs, but what it should hide or protect is not.` };
	if (ended.timedOut) return { ok: false, code: "probe_failed", message: `${program} did nothing for ${PROBE_TIMEOUT_MS / 1000} seconds.` };
	const said = firstComplaint(ended.output) || `It ended with exit code ${ended.exitCode} and said nothing.`;
	const { isNested, hint } = whyNamespacesFail(readSetting);
	return {
		ok: false,
		code: isNested ? "nested_sandbox" : "probe_failed",
		message: `${program} cannot confine here. ${said} ${hint}`.trim(),
	};
}

function readSetting(path: string): string | undefined {
	try {
		return readFileSync(path, "latin1").trim();
	} catch {
		return undefined;
	}
}
