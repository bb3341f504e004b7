import { openSync, readdirSync, readFileSync } from "node:fs";
import type { Gate } from "@robot-lab/core/process";

const CLOSES_ON_EXEC = 0o2000000;
const FIRST_EXTRA = 3;

/**
 * Descriptors for a child, index i for its number 3 + i, with something harmless in the place of whatever it would inherit from this
 * process besides. What Node opens is closed when a program is started; what its parent left open is not, and through an open directory
 * of the host a script would leave its sandbox.
 */
export function withoutInherited(own: readonly (number | Gate)[]): readonly (number | Gate | undefined)[] {
	inherited ??= inheritedDescriptors();
	const places: (number | Gate | undefined)[] = [...own];
	for (const fd of inherited) {
		const index = fd - FIRST_EXTRA;
		if (index < own.length) continue;
		nothing ??= openSync("/dev/null", "r");
		while (places.length < index) places.push(undefined);
		places[index] = nothing;
	}
	return places;
}

/** Found once: only whoever started this process leaves such descriptors, and code that calls the system by itself. */
let inherited: readonly number[] | undefined;
let nothing: number | undefined;

function inheritedDescriptors(): readonly number[] {
	const numbers = readdirSync("/proc/self/fd").map(Number);
	return numbers.filter((fd) => fd >= FIRST_EXTRA && staysOpen(fd)).sort((a, b) => a - b);
}

function staysOpen(fd: number): boolean {
	try {
		const flags = /^flags:\s+([0-7]+)$/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, "latin1"))?.[1];
		return flags !== undefined && (Number.parseInt(flags, 8) & CLOSES_ON_EXEC) === 0;
	} catch {
		// The one that was reading the list.
		return false;
	}
}
