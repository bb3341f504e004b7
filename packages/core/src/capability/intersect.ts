import type { ResourceLimits } from "../config/config.js";
import { grantPath, physicalPath } from "./grant-path.js";

/** Something that was asked for and that the ceiling took away. */
export interface RefusedCapability {
	readonly field: "fsRead" | "fsWrite" | "network";
	/** The path as it was declared; empty for the network. */
	readonly path: string;
	/** A clause about the path, e.g. `it is not below "/work"`. */
	readonly reason: string;
}

/** The paths that may be used, absolute and real, and the ones that may not. */
export interface PathIntersection {
	readonly granted: readonly string[];
	readonly refused: readonly RefusedCapability[];
}

/** A declared path survives when, links resolved on both sides, it is a root of the ceiling or lies beneath one. */
export function intersectPaths(field: "fsRead" | "fsWrite", declared: readonly string[], ceiling: readonly string[]): PathIntersection {
	const roots = realRoots(ceiling);
	const granted = new Set<string>();
	const refused: RefusedCapability[] = [];
	for (const path of declared) {
		const verdict = grantPath(path, roots);
		if (verdict.reason === undefined) granted.add(verdict.real);
		else refused.push({ field, path, reason: verdict.reason });
	}
	return { granted: [...granted], refused };
}

function realRoots(ceiling: readonly string[]): readonly string[] {
	const roots = ceiling.map((path) => physicalPath(path));
	return roots.flatMap((verdict) => (verdict.reason === undefined ? [verdict.real] : []));
}

/** The tighter of the two, limit by limit. A limit that only one side has counts. */
export function intersectLimits(declared: ResourceLimits, ceiling: ResourceLimits): ResourceLimits {
	const tighter: { -readonly [Key in keyof ResourceLimits]: number } = { ...declared };
	for (const [key, most] of Object.entries(ceiling) as readonly [keyof ResourceLimits, number][]) {
		tighter[key] = Math.min(tighter[key] ?? most, most);
	}
	return tighter;
}
