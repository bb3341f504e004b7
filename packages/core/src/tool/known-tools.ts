const MAX_NAMES_LISTED = 50;

/** The names that there are, for a message about one that there is not. */
export function knownTools(names: Iterable<string>): string {
	const all = [...names];
	if (all.length === 0) return "No tools are available";
	const more = all.length > MAX_NAMES_LISTED ? ` and ${all.length - MAX_NAMES_LISTED} more` : "";
	return `Available: ${all.slice(0, MAX_NAMES_LISTED).join(", ")}${more}`;
}
