import { readFileSync } from "node:fs";
import type { Amounts } from "./amounts.js";
import type { KernelLimit } from "./limit-host.js";

const NAMES: Readonly<Record<string, KernelLimit>> = {
	"Max address space": "memoryMb",
	"Max processes": "processes",
	"Max file size": "fileSizeMb",
	"Max cpu time": "cpuSeconds",
};

/** What this process may use itself; empty where that cannot be read, as on macOS, whose shell finds out when it sets a limit. Never throws. */
export function ownLimits(): Amounts {
	try {
		return parseLimits(readFileSync("/proc/self/limits", "latin1"));
	} catch {
		return new Map();
	}
}

/** The limits in a text of `/proc/<pid>/limits`. */
export function parseLimits(text: string): Amounts {
	const rows = [...text.matchAll(/^(Max [a-z ]+?) +(\d+|unlimited) +(\d+|unlimited)/gm)];
	return new Map(
		rows.flatMap(([, label = "", soft = "", hard = ""]) => {
			const name = NAMES[label];
			return name === undefined ? [] : [[name, { soft: amount(soft), hard: amount(hard) }] as const];
		}),
	);
}

const amount = (text: string): number => (text === "unlimited" ? Number.POSITIVE_INFINITY : Number(text));
