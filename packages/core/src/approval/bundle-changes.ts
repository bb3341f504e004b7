import type { BundleDigest } from "./bundle-digest.js";

/** What is different between two looks at a bundle. Names below its directory, sorted. */
export interface BundleChanges {
	readonly added: readonly string[];
	readonly removed: readonly string[];
	readonly changed: readonly string[];
}

type Files = BundleDigest["files"];

export function bundleChanges(before: Files, after: Files): BundleChanges {
	const [old, now] = [Object.keys(before).sort(), Object.keys(after).sort()];
	return Object.freeze({
		added: Object.freeze(now.filter((name) => !Object.hasOwn(before, name))),
		removed: Object.freeze(old.filter((name) => !Object.hasOwn(after, name))),
		changed: Object.freeze(now.filter((name) => Object.hasOwn(before, name) && before[name] !== after[name])),
	});
}

/** The same in a few words for a message, as a clause; at most so many names of each kind. */
export function changesText({ added, removed, changed }: BundleChanges, maxNames = 5): string {
	const part = (verb: string, names: readonly string[]): string[] => {
		if (names.length === 0) return [];
		const more = names.length > maxNames ? ` and ${names.length - maxNames} more` : "";
		return [
			`${verb} ${names
				.slice(0, maxNames)
				.map((name) => JSON.stringify(name))
				.join(", ")}${more}`,
		];
	};
	return [...part("changed", changed), ...part("added", added), ...part("removed", removed)].join("; ");
}
