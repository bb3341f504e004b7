import type { ToolCallContent, ToolCallLocation } from "../stream/part-content.js";
import { isList } from "../text/describe-value.js";
import { isObject } from "../value/frozen-copy.js";
import { type Facts, textIn } from "./event-facts.js";
import type { ToolKind } from "./output-event.js";

const KINDS: ReadonlySet<unknown> = new Set<ToolKind>([
	"read",
	"edit",
	"delete",
	"move",
	"search",
	"execute",
	"think",
	"fetch",
	"switch_mode",
	"other",
]);

/** What a call does: what its part says, else what a script does, else `"other"`. */
export function kindIn(part: Facts): ToolKind {
	if (KINDS.has(part.kind)) return part.kind as ToolKind;
	return textIn(part, "skill") === undefined ? "other" : "execute";
}

/** The places with a path; lines that are none are left out. `undefined` where there are none. */
export function locationsIn({ locations }: Facts): readonly ToolCallLocation[] | undefined {
	return keptOf(locations, (location) => {
		const path = textIn(location, "path");
		if (path === undefined) return undefined;
		const { line } = location;
		return Object.freeze(Number.isSafeInteger(line) && (line as number) >= 1 ? { path, line: line as number } : { path });
	});
}

/** The pieces of content that are any. `undefined` where there are none. */
export function contentIn({ content }: Facts): readonly ToolCallContent[] | undefined {
	return keptOf(content, (piece) => (isContent(piece) || isDiff(piece) ? (piece as unknown as ToolCallContent) : undefined));
}

function keptOf<Kept extends object>(list: unknown, kept: (entry: Facts) => Kept | undefined): readonly Kept[] | undefined {
	if (!isList(list)) return undefined;
	const found = list.flatMap((entry) => (isObject(entry) ? (kept(entry as Facts) ?? []) : [])) as Kept[];
	return found.length === 0 ? undefined : Object.freeze(found);
}

function isContent({ type, content }: Facts): boolean {
	if (type !== "content" || !isObject(content)) return false;
	const block = content as Facts;
	if (block.type === "text") return typeof block.text === "string";
	return block.type === "image" && typeof block.data === "string" && typeof block.mimeType === "string";
}

const isDiff = ({ type, path, oldText, newText }: Facts): boolean =>
	type === "diff" && typeof path === "string" && (oldText === null || typeof oldText === "string") && typeof newText === "string";
