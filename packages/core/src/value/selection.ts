/**
 * What one level says about the tools or the MCP servers of a robot: nothing of its own, none at all, or these by their names. An empty
 * list is none.
 */
export type Selection = "inherit" | "none" | readonly string[];

/** An entry of a list that may not be in it, and what may be, as the end of "it must hold only …". */
export interface WrongName {
	readonly entry: unknown;
	readonly holds: string;
}

/** What is wrong with a selection, as the end of "it must be …", or with which entry of its list. Nothing when it is right. */
export function selectionFlaw(value: unknown): string | WrongName | undefined {
	if (value === "inherit" || value === "none") return undefined;
	if (!Array.isArray(value)) return '"inherit", "none" or a list of names';
	const seen = new Set<unknown>();
	// by index, so that a hole in the list is seen, too
	for (let index = 0; index < value.length; index += 1) {
		const entry: unknown = value[index];
		if (!isName(entry)) return { entry, holds: "names" };
		if (seen.has(entry)) return { entry, holds: "different names" };
		seen.add(entry);
	}
	return undefined;
}

/** A word in a list is meant as the word: nobody who writes ["none"] wants a tool of that name. */
const isName = (entry: unknown): boolean => typeof entry === "string" && entry.trim() !== "" && entry !== "inherit" && entry !== "none";
