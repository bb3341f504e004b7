import { type Laboratory, tryInside, tryOutside } from "./attempt.js";
import { type Check, type DoctorRow, EVERYWHERE } from "./check.js";
import { byPlace } from "./programs.js";

/** An odd number, so that one run is the median. */
const RUNS = 3;

const NOTHING: Check = {
	name: "a script that does nothing",
	why: "What confinement costs each run.",
	platforms: EVERYWHERE,
	expect: "works",
	run: byPlace(() => ["/bin/sh"]),
	script: "true",
};

/** A figure and never a failure: how fast a computer is says nothing about what it confines. */
export async function noteSpeed(laboratory: Laboratory): Promise<DoctorRow> {
	const outside: number[] = [];
	const inside: number[] = [];
	for (let run = 0; run < RUNS; run += 1) {
		outside.push((await tryOutside(NOTHING, laboratory)).result.durationMs);
		inside.push((await tryInside(NOTHING, laboratory)).result.durationMs);
	}
	const [raw, confined] = [median(outside), median(inside)];
	const seen = `${confined.toFixed(1)} ms instead of ${raw.toFixed(1)} ms, ${(confined / raw).toFixed(1)} times as long (median of ${RUNS})`;
	return { name: NOTHING.name, why: NOTHING.why, expected: "a figure", seen, outcome: "noted" };
}

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
