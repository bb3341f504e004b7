import { existsSync } from "node:fs";
import type { Surroundings } from "./surroundings.js";

/** Where a program may lie: the path that was named, or each place in the script's PATH that has one of that name on this computer. */
export function programPaths(program: string, surroundings: Surroundings): readonly string[] {
	if (program.includes("/") || program === "~") return [program];
	const { PATH = "" } = surroundings.environment(process.env);
	return PATH.split(":")
		.map((directory) => `${directory === "" ? "." : directory}/${program}`)
		.filter((path) => existsSync(path));
}

/** What decides about a name for which there is no path. */
export const notInPath = (program: string): string => `${JSON.stringify(program)} is in no directory of PATH`;
