import { existsSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import type { ProcessEntry, ProcessIdentity } from "./process-entry.js";

/** Whether this system has Linux's `/proc`. */
export const hasProcFiles: boolean = process.platform === "linux" && existsSync("/proc/self/stat");

/** The numbers of all processes of this PID namespace, or `undefined` when they cannot be listed, e.g. with too many open files. */
export function listPids(): number[] | undefined {
	try {
		return readdirSync("/proc")
			.map(Number)
			.filter((pid) => pid > 0);
	} catch {
		return undefined;
	}
}

/** The process of that number now, or `undefined` when there is none. */
export function readEntry(pid: number): ProcessEntry | undefined {
	const stat = readOrNothing(`/proc/${pid}/stat`);
	// The command's name stands in brackets and may hold spaces and brackets of its own.
	const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
	const [state, parent, group, session] = fields;
	const [threads, , start] = fields.slice(17);
	if (state === undefined || start === undefined) return undefined;
	// A process whose first thread has ended is shown as a zombie, while its other threads run on.
	const alive = state !== "X" && (state !== "Z" || Number(threads) > 1);
	return { pid, start, parent: Number(parent), group: Number(group), session: Number(session), alive };
}

/** Whether that very process still runs. */
export function isAlive({ pid, start }: ProcessIdentity): boolean {
	const entry = readEntry(pid);
	return entry?.alive === true && entry.start === start;
}

/** Signals that very process, never another one that got its number. Answers whether it was there. */
export function signalProcess(identity: ProcessIdentity, signal: NodeJS.Signals): boolean {
	if (identity.pid <= 1 || identity.pid === process.pid || !isAlive(identity)) return false;
	try {
		return process.kill(identity.pid, signal);
	} catch {
		return false;
	}
}

/** The number that was given to a process last, in this PID namespace. Numbers are given in a circle. */
export function lastPid(): number {
	return Number(readOrNothing("/proc/loadavg").trim().split(" ").at(-1));
}

/** The process's hard limits by name. Every process may read them, whoever owns the other; empty for one that is gone. */
export function hardLimits(pid: number | "self"): Map<string, string> {
	const [, ...lines] = readOrNothing(`/proc/${pid}/limits`).split("\n");
	// "Max open files            1024                 4096                 files"
	return new Map(
		lines.flatMap((line) => (line === "" ? [] : [[line.slice(0, 25).trim(), line.slice(26).trim().split(/\s+/)[1] ?? ""] as const])),
	);
}

/** The process's variables, each as `NAME=value`. Empty where this process may not look. */
export function environmentOf(pid: number): string[] {
	return readOrNothing(`/proc/${pid}/environ`).split("\0");
}

/** What the process's descriptors point to. Empty where this process may not look. */
export function descriptorTargets(pid: number | "self"): string[] {
	try {
		return readdirSync(`/proc/${pid}/fd`).map((fd) => descriptorTarget(pid, fd));
	} catch {
		return [];
	}
}

/** What one descriptor points to; a file without a name keeps the one it had, which is unique where a random directory was part of it. */
export function descriptorTarget(pid: number | "self", fd: number | string): string {
	try {
		return readlinkSync(`/proc/${pid}/fd/${fd}`);
	} catch {
		return "";
	}
}

function readOrNothing(path: string): string {
	try {
		return readFileSync(path, "latin1");
	} catch {
		return "";
	}
}
