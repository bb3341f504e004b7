/** Text as a string of the profile language. Quote and backslash are all that is special in it; what else could be was refused before. */
export const quote = (text: string): string => `"${text.replace(/[\\"]/g, "\\$&")}"`;

export const literal = (path: string): string => `(literal ${quote(path)})`;
export const subpath = (path: string): string => `(subpath ${quote(path)})`;

/** A rule with its filters, one a line where there are several: of two profiles one wants to see which paths differ. */
export function rule(action: "allow" | "deny", operations: string, filters: readonly string[]): string {
	return filters.length === 1 ? `(${action} ${operations} ${filters[0]})` : `(${action} ${operations}\n  ${filters.join("\n  ")})`;
}

/** Every way to change what is there, as a grant opens it. A second name counts: what is written by it is the same file. */
export const ALL_WRITING = "file-write* file-link file-clone";
