import type { DeclaredMap } from "./declared-map.js";

/** How much of each there may be in one file: far more than anybody writes, and what is looked through in no time. */
const LIMITS = { robots: 250, tasks: 2_000, dependencies: 50_000, activations: 1_000 } as const;

/** Counts what a file has, and refuses what is too much. */
export class DeclaredCounts {
	readonly #counts = new Map<keyof typeof LIMITS, number>();

	/** Throws ConfigurationError where there are more in the file than may be. @param key Where the last of them stand in the map. */
	add(what: keyof typeof LIMITS, count: number, map: DeclaredMap, key?: string): void {
		const sum = (this.#counts.get(what) ?? 0) + count;
		this.#counts.set(what, sum);
		if (sum <= LIMITS[what]) return;
		const more = what === "dependencies" ? " A task that others wait for in the place of all parts the two." : "";
		throw map.error(key, `comes to more than the ${LIMITS[what]} ${what} that one file may have`, `Make several networks of it.${more}`);
	}
}
