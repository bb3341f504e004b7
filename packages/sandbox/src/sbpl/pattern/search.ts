import type { Step } from "./program.js";
import type { ByteSet } from "./syntax.js";

/**
 * Whether a pattern is found anywhere in a text. All ways to match advance side by side, so it takes at most
 * (steps × bytes), whatever the pattern: the profile of a stranger cannot keep the evaluator busy.
 */
export function isFound(steps: readonly Step[], text: Uint8Array): boolean {
	const anchored = steps[0]?.kind === "start";
	let reached = new Set<number>();
	for (let at = 0; at <= text.length; at += 1) {
		if (at === 0 || !anchored) reach(steps, 0, { at, length: text.length }, reached);
		if (reached.has(steps.length - 1)) return true;
		if (reached.size === 0) return false;
		const byte = text[at];
		const next = new Set<number>();
		for (const index of byte === undefined ? [] : reached) {
			const step = steps[index];
			if (step?.kind === "byte" && takes(step.set, byte ?? 0)) reach(steps, index + 1, { at: at + 1, length: text.length }, next);
		}
		reached = next;
	}
	return false;
}

/** Adds the step and all that can be reached from it without taking a byte. */
function reach(steps: readonly Step[], from: number, place: { readonly at: number; readonly length: number }, reached: Set<number>): void {
	const open = [from];
	for (let index = open.pop(); index !== undefined; index = open.pop()) {
		if (reached.has(index)) continue;
		reached.add(index);
		const step = steps[index];
		if (step?.kind === "split") open.push(index + 1, step.target);
		else if (step?.kind === "jump") open.push(step.target);
		else if (step?.kind === "start" && place.at === 0) open.push(index + 1);
		else if (step?.kind === "end" && place.at === place.length) open.push(index + 1);
	}
}

const takes = (set: ByteSet, byte: number): boolean => set.ranges.some(([low, high]) => low <= byte && byte <= high) !== set.negated;
