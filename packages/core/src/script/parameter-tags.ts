/** A tag of a declaration with its text, which may run on over the lines after it. */
export interface ParameterTag {
	readonly tag: "option" | "flag" | "arg" | "input" | "cmd";
	/** How it is spelt where that is one letter away from the tag that it must have been meant for. */
	readonly misspelt?: string;
	readonly text: string;
	/** The line that begins it, as it was written. */
	readonly written: string;
}

const TAG = /^@([A-Za-z][\w-]*)(?:\s+(.*))?$/s;
const OURS: readonly ParameterTag["tag"][] = ["option", "flag", "arg", "input", "cmd"];

/**
 * The tags that declare parameters, in order. `@arg {string} name` is JSDoc's, and all other tags are somebody else's, but for those that are nearly one
 * of ours beside one of ours, or with a text that begins as an option does: whoever wrote them believes that they declare something. A tag's text ends with
 * its paragraph or where the next one begins.
 */
export function parameterTags(paragraphs: readonly (readonly string[])[]): readonly ParameterTag[] {
	const tags: (Omit<ParameterTag, "text"> & { readonly lines: readonly string[] })[] = [];
	for (const paragraph of paragraphs) {
		let open: string[] | undefined;
		for (const line of paragraph) {
			const begun = tagOf(line);
			if (begun === undefined) {
				open?.push(line.trim());
				continue;
			}
			const { word, text, tag } = begun;
			open = undefined;
			if (tag === undefined) continue;
			open = [text.trim()];
			tags.push({ tag, ...(word !== tag && { misspelt: word }), lines: open, written: line });
		}
	}
	const found = tags.map(({ lines, ...tag }) => ({ ...tag, text: lines.filter((line) => line !== "").join(" ") }));
	const isDeclaration = found.some(({ misspelt }) => misspelt === undefined);
	return found.filter(({ misspelt, text }) => misspelt === undefined || isDeclaration || text.startsWith("-"));
}

interface BegunTag {
	readonly word: string;
	readonly text: string;
	/** The tag of ours that it is, or is one letter away from. */
	readonly tag: ParameterTag["tag"] | undefined;
}

function tagOf(line: string): BegunTag | undefined {
	const [, word = "", text = ""] = TAG.exec(line) ?? [];
	if (word === "") return undefined;
	const tag = text.startsWith("{") ? undefined : (OURS.find((ours) => ours === word) ?? OURS.find((ours) => isOneSlip(word, ours)));
	return { word, text, tag };
}

/** Whether one letter more, less or another, two neighbours exchanged, or capitals make one word of another. */
function isOneSlip(written: string, meant: string): boolean {
	const word = written.toLowerCase();
	let at = 0;
	while (at < word.length && word[at] === meant[at]) at++;
	const [left, right] = [word.slice(at), meant.slice(at)];
	if (left.slice(1) === right || left === right.slice(1) || left.slice(1) === right.slice(1)) return true;
	return left[0] === right[1] && left[1] === right[0] && left.slice(2) === right.slice(2);
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
			const { word, text = "", tag } = tagOf(line) ?? {};
			const declares = tag !== undefined && (tag === word || text.startsWith("-"));
			if (declares || word === "describe") open = [];
			if (word === "describe") described.push(open);
			if (!declares) open.push(word === "describe" ? text : line);
		}
	}
	return [...described, ...others];
}
