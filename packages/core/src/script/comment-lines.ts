/** The comments a script begins with, one list of lines per paragraph or block, markers taken off. */
export type CommentParagraphs = readonly (readonly string[])[];

const LINE_COMMENT = /^\s*(?:#+|\/\/+|--+|;+)(?!!)\s?(.*)$/;
const BLOCK_OPENINGS: readonly (readonly [open: RegExp, close: string])[] = [
	[/^\s*\/\*+/, "*/"],
	[/^\s*<#/, "#>"],
	[/^\s*--\[\[/, "]]"],
];
/** Code that takes in other code. What a comment below it says is less likely to be about the whole script. */
const IMPORT = /^\s*(import\b|from\s|(const|let|var)\s.*\brequire\(|require\b|module\b)/;
/** Other code that stands before the comment that says what a script does. */
const PROLOGUE = /^\s*(set\s|shopt\s|export\s+\w+=|umask\s|use\s|["']use strict["']|@echo\s)/;
/** A line that parts the code below it from the code above. */
const SECTION = /^([=*#~─═-])\1{2,}\s.*\s([=*#~─═-])\2{2,}$/;
/** How a block of inline metadata (PEP 723) starts and ends: it is for a package manager. */
const METADATA_START = /^\/\/\/ [\w-]+$/;

/** Reads comments and the code that usually precedes them, and stops at the first other line of code. */
export function leadingComments(text: string): CommentParagraphs {
	return readComments(text).paragraphs;
}

/**
 * Those of {@link leadingComments} that are about the script as a whole: what stands right above other code, and not before all code, is about that
 * code, and a line that is framed there heads a section of it. Below nothing but settings of the shell it is the first comment that counts.
 */
export function headerComments(text: string): CommentParagraphs {
	const { paragraphs, lastIsOfCode } = readComments(text);
	return lastIsOfCode ? paragraphs.slice(0, -1) : paragraphs;
}

interface ReadComments {
	readonly paragraphs: CommentParagraphs;
	readonly lastIsOfCode: boolean;
}

function readComments(text: string): ReadComments {
	const lines = text.replace(/^\uFEFF/, "").split(/\r\n|\n|\r/);
	const paragraphs: string[][] = [[]];
	let isBelowCode = false;
	let isBelowComment = false;
	for (let index = lines[0]?.startsWith("#!") ? 1 : 0; index < lines.length; index++) {
		const line = lines[index] as string;
		const block = BLOCK_OPENINGS.find(([open]) => open.test(line));
		const comment = block === undefined ? LINE_COMMENT.exec(line)?.[1] : undefined;
		const isImport = IMPORT.test(line);
		const isPrologue = isImport || PROLOGUE.test(line);
		if (block !== undefined) index = readBlock(lines, index, block, paragraphs);
		else if (comment !== undefined && METADATA_START.test(comment)) index = lastLineOfMetadata(lines, index);
		else if (comment !== undefined && isBelowCode && SECTION.test(comment)) break;
		else if (comment?.trim()) paragraphs.at(-1)?.push(comment.trim());
		else if (comment !== undefined || line.trim() === "" || isPrologue) endParagraph(paragraphs);
		else return { paragraphs: paragraphs.filter(hasLines), lastIsOfCode: isBelowCode && isBelowComment };
		if (isImport) index = lastLineOfImport(lines, index);
		isBelowCode ||= isImport || (isPrologue && paragraphs.some(hasLines));
		isBelowComment = block !== undefined || comment !== undefined;
	}
	return { paragraphs: paragraphs.filter(hasLines), lastIsOfCode: false };
}

/** None is empty but the last: a file may be nothing but blank lines. */
function endParagraph(paragraphs: string[][]): void {
	if (paragraphs.at(-1)?.length !== 0) paragraphs.push([]);
}

const hasLines = (paragraph: readonly string[]): boolean => paragraph.length > 0;

/** Adds the paragraphs of the block comment that starts at `index`; the index of its last line. */
function readBlock(lines: readonly string[], index: number, [open, close]: readonly [RegExp, string], paragraphs: string[][]): number {
	let at = index;
	endParagraph(paragraphs);
	for (let line = lines[at]?.replace(open, ""); line !== undefined; line = lines[++at]) {
		const end = line.indexOf(close);
		const text = (end === -1 ? line : line.slice(0, end)).replace(/^\s*\*+(?!\/)/, "").trim();
		if (text === "") endParagraph(paragraphs);
		else paragraphs.at(-1)?.push(text);
		if (end !== -1) break;
	}
	endParagraph(paragraphs);
	return at;
}

/** An import may name what it takes on lines of their own. */
function lastLineOfImport(lines: readonly string[], index: number): number {
	const close = /[{(]\s*$/.exec(lines[index] ?? "")?.[0].startsWith("{") ? "}" : ")";
	if (!/[{(]\s*$/.test(lines[index] ?? "")) return index;
	let end = index + 1;
	while (end < lines.length && !lines[end]?.includes(close)) end++;
	return end;
}

function lastLineOfMetadata(lines: readonly string[], index: number): number {
	const end = lines.indexOf("# ///", index + 1);
	return end === -1 ? lines.length : end;
}
