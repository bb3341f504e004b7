import type { ResourceLimits } from "@robot-lab/core";
import { KERNEL_LIMITS, type KernelLimit, type LimitPair } from "./limit-host.js";

/** What is to be set: bytes, seconds, processes. */
export type Amounts = ReadonlyMap<KernelLimit, LimitPair>;

const MIB = 1024 * 1024;

/** No computer has as much, and no program that sets limits takes it for something else. */
const MOST_BYTES = 2 ** 52;
/** The kernel counts them in nanoseconds, and a product that does not fit would end a script at once. */
const MOST_SECONDS = 2 ** 31;
/** No Linux has more. */
const MOST_PROCESSES = 2 ** 22;

/** Counted with a script is the shell that started it inside and reports on it. */
const SHELL_INSIDE = 1;

/** What limits come to, where this process has `own` itself. A pure function. */
export function amountsOf(limits: ResourceLimits, own: Amounts): Amounts {
	const wanted = KERNEL_LIMITS.flatMap((name) => {
		const limit = limits[name];
		return limit === undefined ? [] : [[name, lowered(amountOf(name, limit), own.get(name))] as const];
	});
	return new Map(wanted);
}

/** A script that reaches its time is told so by a signal, and ended a second later. */
function amountOf(name: KernelLimit, limit: number): LimitPair {
	switch (name) {
		case "memoryMb":
		case "fileSizeMb":
			return both(Math.min(limit * MIB, MOST_BYTES));
		case "processes":
			return both(Math.min(limit, MOST_PROCESSES) + SHELL_INSIDE);
		case "cpuSeconds": {
			const soft = Math.min(limit, MOST_SECONDS);
			return { soft, hard: soft + 1 };
		}
	}
}

const both = (amount: number): LimitPair => ({ soft: amount, hard: amount });

function lowered({ soft, hard }: LimitPair, own: LimitPair | undefined): LimitPair {
	return own === undefined ? { soft, hard } : { soft: Math.min(soft, own.soft), hard: Math.min(hard, own.hard) };
}
