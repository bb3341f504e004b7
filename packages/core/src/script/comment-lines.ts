/** The comments a script begins with, one list of lines per paragraph or block, markers taken off. */
export type CommentParagraphs = readonly (readonly string[])[];

const LINE_COMMENT = /^\s*(?:#+|\/\/+|--+|;+)(?!!)\s?(.*)$/;
const BLOCK_OPENINGS: readonly (readonly [open: RegExp, close: string])[] = [
	[/^\s*\/\*+/, "*/"],
	[/^\s*<#/, "#>"],
];
/** Code that stands before the comment that says what a script does. */
const PROLOGUE =
	/^\s*(set\s|shopt\s|export\s|umask\s|import\s|from\s|use\s|require\b|module\b|["']use strict["']|(const|let|var)\s.*\brequire\(|@echo\s)/;
/** How a block of inline metadata (PEP 723) starts and ends: it is for a package manager. */
const METADATA_START = /^\/\/\/ [\w-]+$/;

/** Reads comments and the code that usually precedes them, and stops at the first other line of code. */
export function leadingComments(text: string): CommentParagraphs {
	const lines = text.replace(/^\uFEFF/, "").split(/\r\n|\n|\r/);
	const paragraphs: string[][] = [[]];
	for (let index = lines[0]?.startsWith("#!") ? 1 : 0; index < lines.length; index++) {
		const line = lines[index] as string;
		const block = BLOCK_OPENINGS.find(([open]) => open.test(line));
		if (block !== undefined) {
			index = readBlock(lines, index, block, paragraphs);
			continue;
		}
		const comment = LINE_COMMENT.exec(line)?.[1];
		if (comment !== undefined && METADATA_START.test(comment)) index = lastLineOfMetadata(lines, index);
		else if (comment?.trim()) paragraphs.at(-1)?.push(comment.trim());
		else if (comment !== undefined || line.trim() === "" || PROLOGUE.test(line)) paragraphs.push([]);
		else break;
	}
	return paragraphs.filter((paragraph) => paragraph.length > 0);
}

/** Adds the paragraphs of the block comment that starts at `index`; the index of its last line. */
function readBlock(lines: readonly string[], index: number, [open, close]: readonly [RegExp, string], paragraphs: string[][]): number {
	let at = index;
	paragraphs.push([]);
	for (let line = lines[at]?.replace(open, ""); line !== undefined; line = lines[++at]) {
		const end = line.indexOf(close);
		const text = (end === -1 ? line : line.slice(0, end)).replace(/^\s*\*+(?!\/)/, "").trim();
		if (text === "") paragraphs.push([]);
		else paragraphs.at(-1)?.push(text);
		if (end !== -1) break;
	}
	paragraphs.push([]);
	return at;
}

function lastLineOfMetadata(lines: readonly string[], index: number): number {
	const end = lines.indexOf("# ///", index + 1);
	return end === -1 ? lines.length : end;
}
