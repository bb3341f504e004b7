import type { ResourceLimits, ScriptResult } from "@robot-lab/core";
import type { KernelLimit } from "./limit-host.js";

/** The signals by which a kernel says that a limit was reached. */
const TELLING_SIGNALS: ReadonlyMap<string, KernelLimit> = new Map([
	["SIGXCPU", "cpuSeconds"],
	["SIGXFSZ", "fileSizeMb"],
]);

/** What a script that reached a limit, or a program it started, may end with or say. Other causes have these too. */
interface Symptoms {
	readonly text: RegExp;
	readonly signals: readonly string[];
	readonly exitCodes: readonly number[];
}

const SYMPTOMS: Readonly<Record<KernelLimit, Symptoms>> = {
	// Interpreters that cannot even start are ended by their own loader or by the kernel, each in its own way.
	memoryMb: {
		text: /out of memory|cannot allocate|memory exhausted|MemoryError|bad_alloc|\bENOMEM\b|failed to map|insufficient memory/i,
		signals: ["SIGSEGV", "SIGBUS", "SIGABRT", "SIGTRAP", "SIGILL", "SIGKILL"],
		exitCodes: [132, 133, 134, 135, 137, 139],
	},
	processes: {
		text: /resource temporarily unavailable|cannot fork|can't fork|\bEAGAIN\b|can't start new thread/i,
		signals: [],
		exitCodes: [],
	},
	fileSizeMb: { text: /file too large|file size limit exceeded|\bEFBIG\b/i, signals: [], exitCodes: [153] },
	// A second after the signal that says so comes the one that nobody can ignore.
	cpuSeconds: { text: /cpu time limit exceeded/i, signals: ["SIGKILL"], exitCodes: [152, 137] },
};

/** One line for a script that failed where a limit was set: the one it reached, where a signal says so, else the ones it may have reached. */
export function limitNote(result: ScriptResult, limits: ResourceLimits): string | undefined {
	const { refusal, timedOut, aborted, exitCode, signal } = result;
	if (refusal !== undefined || timedOut || aborted || exitCode === 0) return undefined;
	const told = TELLING_SIGNALS.get(signal ?? "");
	if (told !== undefined && limits[told] !== undefined) return `The script reached ${named(told, limits)}.`;
	const possible = Object.entries(SYMPTOMS).flatMap(([name, symptoms]) =>
		limits[name as KernelLimit] !== undefined && fits(result, symptoms) ? [named(name as KernelLimit, limits)] : [],
	);
	return possible.length === 0 ? undefined : `The script may have reached ${possible.join(" or ")}.`;
}

const named = (name: KernelLimit, limits: ResourceLimits): string => `limits.${name} (${limits[name]})`;

const fits = ({ output, signal, exitCode }: ScriptResult, { text, signals, exitCodes }: Symptoms): boolean =>
	text.test(output) || signals.includes(signal ?? "") || exitCodes.includes(exitCode ?? 0);
