import type { BundleChanges } from "@robot-lab/core";
import { printableLine } from "./printable.js";

const MOST_NAMES = 5;

/** What is different in a bundle, on one line. */
export function changesWords({ changed, added, removed }: BundleChanges): string {
	const parts = Object.entries({ changed, added, removed }).filter(([, names]) => names.length > 0);
	return parts.map(([verb, names]) => `${verb} ${listedNames(names)}`).join("; ");
}

/** A stranger's names, in quotes, so that it is plain where one ends. */
export function listedNames(names: readonly string[]): string {
	const shown = names.slice(0, MOST_NAMES).map((name) => printableLine(JSON.stringify(name), 80));
	return `${shown.join(", ")}${names.length > MOST_NAMES ? ` and ${names.length - MOST_NAMES} more` : ""}`;
}
