import { homedir } from "node:os";
import { resolve } from "node:path";
import { isAtOrBelow, segmentsOf } from "@robot-lab/core/paths";

/** Paths as they are written, each once, those that reach most first: with the fewest names on the way from the root. */
export const widestFirst = (paths: readonly string[]): readonly string[] => [...new Set(paths)].sort((a, b) => depthOf(a) - depthOf(b));

/** The same of real paths, without what lies below another one of them. */
export function folded(paths: readonly string[]): readonly string[] {
	const kept: string[] = [];
	for (const path of widestFirst(paths)) if (!kept.some((above) => isAtOrBelow(path, above))) kept.push(path);
	return kept;
}

const depthOf = (path: string): number => segmentsOf(resolve(path.replace(/^~(?=\/|$)/, () => homedir()))).length;
