import type { Capabilities } from "@robot-lab/core";

const MAX_PATHS_SHOWN = 5;

const list = (paths: readonly string[]): string => {
	if (paths.length === 0) return "nothing";
	const shown = paths.slice(0, MAX_PATHS_SHOWN).map((path) => JSON.stringify(path));
	const more = paths.length - shown.length;
	return more > 0 ? `${shown.join(", ")} and ${more} more` : shown.join(", ");
};

/** A grant in one line, e.g. `read "/work", write nothing, network no`. */
export function describeGrant(grant: Capabilities): string {
	return `read ${list(grant.fsRead)}, write ${list(grant.fsWrite)}, network ${grant.network ? "yes" : "no"}`;
}
