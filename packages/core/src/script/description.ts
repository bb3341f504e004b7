import { basename, extname } from "node:path";
import { type CommentParagraphs, leadingComments } from "./comment-lines.js";
import { deriveName } from "./derive-name.js";
import { docstringOf } from "./docstring.js";
import { isProgram } from "./interpreter.js";
import { readFileStart } from "./read-file-start.js";

/** How much of a script is read to describe and to start it. */
export const HEAD_BYTES: number = 64 * 1024;
const MAX_CHARACTERS = 1024;

const LEGAL =
	/^(copyright\b|\(c\)\s|©|SPDX-|licensed\b|licen[cs]e:|all rights reserved|permission is hereby|redistribution and use|this (file|program|software|code|source) (is|may be) (part|free|licen|released|distributed|subject)|(the )?(MIT|BSD|ISC|Apache|GNU|Mozilla)\b.*licen[cs]e)/i;
const DIRECTIVE =
	/(-\*-|^(en)?coding[:=]|^(vim?|ex):|^shellcheck\b|^eslint\b|^@ts-|^@(file|fileoverview|module|author|license|version|since)\b|^prettier-|^biome-|^pylint:|^ruff:|^mypy:|^fmt:|^noqa\b|^type:|^frozen_string_literal|^\.[A-Z]+$|^#?(end)?region\b|^!)/i;
const USAGE = /^(usage|examples?|synopsis)\b/i;

/**
 * What a script says it does: the first line that says something of a Python docstring or of the comments it begins with.
 * First line, encoding, licences, editors' directives and inline metadata are passed over. The derived name when there is
 * no such line or the file cannot be read. Reads the first 64 KiB at most, gives 1,024 characters at most, never throws.
 */
export async function extractDescription(scriptPath: string): Promise<string> {
	try {
		return describeScript(scriptPath, (await readFileStart(scriptPath, HEAD_BYTES)).bytes);
	} catch {
		return deriveName(scriptPath);
	}
}

/** The same for a file whose beginning has been read. */
export function describeScript(scriptPath: string, head: Uint8Array): string {
	const found = isProgram(head) ? undefined : describeText(scriptPath, Buffer.from(head).toString("utf8"));
	return found ?? deriveName(scriptPath);
}

function describeText(scriptPath: string, text: string): string | undefined {
	const isPython = extname(scriptPath) === ".py" || /^#!.*python/.test(text);
	const docstring = isPython ? docstringOf(text) : undefined;
	const file = basename(scriptPath);
	return (docstring && firstStatement(docstring, file)) || firstStatement(leadingComments(text), file);
}

function firstStatement(paragraphs: CommentParagraphs, file: string): string | undefined {
	const telling = paragraphs.flatMap((paragraph) => tellingLines(paragraph, file));
	const lines = telling.find((paragraph) => !USAGE.test(paragraph[0] ?? "")) ?? telling[0];
	return lines === undefined ? undefined : shorten(unwrap(lines));
}

/** A paragraph as the lines that say something, or nothing when it is a licence. Usage is parted from what precedes it. */
function tellingLines(paragraph: readonly string[], file: string): readonly (readonly string[])[] {
	const lines = paragraph.map((line) => withoutFileName(line, file)).filter((line) => /[\p{L}\p{N}]/u.test(line) && !DIRECTIVE.test(line));
	const [first] = lines;
	if (first === undefined || LEGAL.test(first)) return [];
	const rest = USAGE.test(first) ? lines.slice(1).filter((line) => !USAGE.test(line)) : [];
	return rest.length > 0 ? [rest, lines] : [lines];
}

function withoutFileName(line: string, file: string): string {
	if (!line.startsWith(file)) return line;
	return line.slice(file.length).replace(/^\s*(?:[-–—:]+\s+|$)/, "");
}

/** The first line, and the ones a sentence of it runs on into: those that start with a small letter while it has no end. */
function unwrap(lines: readonly string[]): string {
	let text = lines[0] ?? "";
	for (const line of lines.slice(1)) {
		if (/[.!?:;。]$/.test(text) || !/^\p{Ll}/u.test(line) || USAGE.test(line)) break;
		text += ` ${line}`;
	}
	return text;
}

function shorten(text: string): string {
	// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
	const characters = [...text.replace(/[\s\u0000-\u001f\u007f]+/g, " ").trim()];
	return characters.length <= MAX_CHARACTERS ? characters.join("") : `${characters.slice(0, MAX_CHARACTERS - 1).join("")}…`;
}
