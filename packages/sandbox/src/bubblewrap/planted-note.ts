import { lstatSync } from "node:fs";

const MAX_SHOWN = 5;

/** One line for a run after which protected names are there that were not when it began: nothing could be mounted over those. Never throws. */
export function plantedNote(missing: readonly string[]): string | undefined {
	const made = missing.filter(isThere);
	if (made.length === 0) return undefined;
	const shown = made.slice(0, MAX_SHOWN).map((path) => JSON.stringify(path));
	const more = made.length > MAX_SHOWN ? ` and ${made.length - MAX_SHOWN} more` : "";
	return `Made during this run, and read or run by programs of the host later: ${shown.join(", ")}${more}. Tell the user, who should look at it before anybody works there.`;
}

function isThere(path: string): boolean {
	try {
		return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
	} catch {
		return false;
	}
}
