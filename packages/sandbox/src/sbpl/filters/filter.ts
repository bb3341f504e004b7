import type { Expression, List } from "../expressions.js";
import { ProfileError } from "../profile-error.js";
import type { ProfileQuery } from "../query.js";
import type { Truth } from "../truth.js";

/** What a filter looks at. Every operation accepts some of them; a filter of another family does not compile. */
export type FilterFamily =
	| "appleevent-destination"
	| "extension"
	| "file-mode"
	| "info-type"
	| "iokit"
	| "kext-bundle-id"
	| "mach"
	| "network"
	| "notification-name"
	| "nvram-variable"
	| "path"
	| "posix-ipc"
	| "preference"
	| "process"
	| "right-name"
	| "socket"
	| "sysctl"
	| "target"
	| "vnode-type";

/** One compiled condition of a rule. */
export interface Filter {
	readonly families: ReadonlySet<FilterFamily>;
	matches(query: ProfileQuery): Truth;
}

/** A filter whose condition looks at one thing. */
export const filterOf = (family: FilterFamily, matches: (query: ProfileQuery) => Truth): Filter => ({
	families: new Set([family]),
	matches,
});

/** What follows the head of a filter. There is always something. */
export function argumentsOf(filter: List, head: string): readonly Expression[] {
	const values = filter.items.slice(1);
	if (values.length === 0) throw new ProfileError("profile_syntax", `(${head}) needs at least one value`, filter.line);
	return values;
}

/** The values of a filter that takes strings. */
export function stringsOf(filter: List, head: string): readonly string[] {
	return argumentsOf(filter, head).map((value) => {
		if (value.kind !== "string") throw new ProfileError("profile_syntax", `(${head} …) takes strings`, value.line);
		return value.value;
	});
}
