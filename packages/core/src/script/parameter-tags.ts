/** A tag of a declaration with its text, which may run on over the lines after it. */
export interface ParameterTag {
	readonly tag: "option" | "flag" | "arg" | "input" | "cmd";
	readonly text: string;
	/** The line that begins it, as it was written. */
	readonly written: string;
}

const TAG = /^@([A-Za-z][\w-]*)(?:\s+(.*))?$/s;
const OURS: ReadonlySet<string> = new Set<ParameterTag["tag"]>(["option", "flag", "arg", "input", "cmd"]);

/**
 * The tags that declare parameters, in order. `@arg {string} name` is JSDoc's, and all other tags are somebody else's. A tag's text ends with its
 * paragraph or where the next one begins.
 */
export function parameterTags(paragraphs: readonly (readonly string[])[]): readonly ParameterTag[] {
	const tags: (Omit<ParameterTag, "text"> & { readonly lines: readonly string[] })[] = [];
	for (const paragraph of paragraphs) {
		let open: string[] | undefined;
		for (const line of paragraph) {
			const [, tag = "", text = ""] = TAG.exec(line) ?? [];
			if (tag === "") {
				open?.push(line.trim());
				continue;
			}
			open = undefined;
			if (!OURS.has(tag) || text.startsWith("{")) continue;
			open = [text.trim()];
			tags.push({ tag: tag as ParameterTag["tag"], lines: open, written: line });
		}
	}
	return tags.map(({ tag, lines, written }) => ({ tag, text: lines.filter((line) => line !== "").join(" "), written }));
}

/**
 * The same lines as far as they may describe the script: what `@describe` says first, and nothing of the tags that declare parameters, to which
 * belongs what stands below them in their paragraph.
 */
export function describingLines(paragraphs: readonly (readonly string[])[]): readonly (readonly string[])[] {
	const described: string[][] = [];
	const others: string[][] = [];
	for (const paragraph of paragraphs) {
		let open: string[] = [];
		others.push(open);
		for (const line of paragraph) {
			const [, tag = "", text = ""] = TAG.exec(line) ?? [];
			const begins = tag === "describe" || (OURS.has(tag) && !text.startsWith("{"));
			if (begins) open = [];
			if (tag === "describe") described.push(open);
			if (!begins || tag === "describe") open.push(begins ? text : line);
		}
	}
	return [...described, ...others];
}
