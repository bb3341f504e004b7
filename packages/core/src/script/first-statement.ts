import { extname } from "node:path";
import { seenText } from "../text/seen-text.js";
import type { CommentParagraphs } from "./comment-lines.js";
import { describingLines } from "./parameter-tags.js";

const MAX_CHARACTERS = 1024;

const LEGAL =
	/^(copyright\b|\(c\)\s|©|SPDX-|licensed\b|licen[cs]e:|all rights reserved|permission is hereby|redistribution and use|this (file|program|software|code|source) (is|may be) (part|free|licen|released|distributed|subject)|(the )?(MIT|BSD|ISC|Apache|GNU|Mozilla)\b.*licen[cs]e)/i;
const DIRECTIVE =
	/(-\*-|^(en)?coding[:=]|^(version|authors?|date|created|last (modified|updated)|since|maintainers?):|^(vim?|ex):|^shellcheck\b|^eslint\b|^@ts-|^@(file|fileoverview|module|author|license|version|since)\b|^prettier-|^biome-|^pylint:|^ruff:|^mypy:|^fmt:|^noqa\b|^type:|^frozen_string_literal|^\.[A-Z]+$|^#?(end)?region\b|^!)/i;
/** What says how a script is called or what it takes. It describes a script where nothing else does. */
const USAGE =
	/^((usage|examples?|synopsis)( usage| examples?)?\s*([:(-]|$)|usage\s|(args?|arguments|parameters|params|options|flags|env(ironment)?( variables)?|inputs?|outputs?|returns?|exit codes?|requires?|requirements|prerequisites|dependencies|notes?|todo|fixme)\s*(:|$))/i;
/** Comments that explain the line of code below them, and headings of parts of the code. */
const OF_CODE =
	/^((exit|stop|fail|abort|quit)( immediately| early| the script)? (on|if|when)( any| an| a)? (errors?|failures?|commands?)\b.{0,40}|(enable |use |set |bash )*strict mode.{0,30}|(colou?rs?|config(uration)?|constants?|imports?|functions?|variables|defaults?|main)( for output)?:?)$/i;
/** Code that was commented out: statements with their punctuation, imports, assignments, a call alone. All of it is anchored: a line may be long. */
const CODE =
	/^((const|let|var|import|from|export|return|use|my|local|function|async|await|if|for|while|require|console\.\w+|print)\b.*[;{(]$|(const|let|var|local|my)\s+[$\w{[].*=|(def|class)\s+\w.*:$|import\s+["']|import\s[\w*{},$ ]*\bfrom\s*["']|from\s+[\w.]+\s+import\s|include\s*[<"]|[\w.$]+\s*[+:]?=\s*[^\s=]|[\w.$]+\(.*\)[;:]?$)/;
/** Words after which a sentence cannot end. */
const RUNS_ON = /(,|\b(a|an|the|that|which|of|to|and|or|with|for|in|on|by|from|as|is|are|into|its?|their|this))$/i;
const FRAME = "=*#~─═-";
const MIN_FRAME = 3;
/** What stands below such a label are its entries. */
const BARE_LABEL = /:\s*$|^\S+$/;
const FULL_LINE = 50;

/**
 * The first paragraph that says what a script is for, its first line or sentence, on one line of at most 1,024 characters. Licences, directives of editors and
 * tools, frames, and the file's own name are passed over; usage counts where there is nothing else. `undefined` when nothing is said.
 */
export function firstStatement(paragraphs: CommentParagraphs, file: string): string | undefined {
	const telling = describingLines(paragraphs).flatMap((paragraph) => tellingLines(paragraph, file));
	const lines = telling.find((paragraph) => !USAGE.test(paragraph[0] ?? "")) ?? telling[0];
	return lines === undefined ? undefined : shorten(unwrap(lines));
}

/** A paragraph as the lines that say something, or nothing when it is a licence. Usage is parted from what precedes it. */
function tellingLines(paragraph: readonly string[], file: string): readonly (readonly string[])[] {
	const lines = paragraph.map((line) => withoutFileName(withoutFrame(line), file)).filter(isTelling);
	const [first] = lines;
	if (first === undefined || LEGAL.test(first) || (lines.length === 1 && OF_CODE.test(first))) return [];
	const rest = USAGE.test(first) && !BARE_LABEL.test(first) ? lines.slice(1).filter((line) => !USAGE.test(line)) : [];
	return rest.length > 0 ? [rest, lines] : [lines];
}

/** Without the marks at its ends, three or more of them. By hand: an expression begins anew at each mark of a long line. */
function withoutFrame(line: string): string {
	let start = 0;
	let end = line.length;
	while (start < end && FRAME.includes(line.charAt(start))) start++;
	while (start < end && FRAME.includes(line.charAt(end - 1))) end--;
	return line.slice(start < MIN_FRAME ? 0 : start, line.length - end < MIN_FRAME ? line.length : end).trim();
}

const isTelling = (line: string): boolean => /[\p{L}\p{N}]/u.test(line) && !DIRECTIVE.test(line) && !CODE.test(line);

/** The file's own name, with or without extension, says nothing of it. */
function withoutFileName(line: string, file: string): string {
	const name = [file, file.slice(0, file.length - extname(file).length)].find((candidate) => line.startsWith(candidate));
	if (name === undefined) return line;
	const rest = /^\s*(?:[-–—:]+\s+(.*)|)$/.exec(line.slice(name.length));
	return rest === null ? line : (rest[1] ?? "");
}

/** The first line, and the ones a sentence of it runs on into while it has no end. */
function unwrap(lines: readonly string[]): string {
	let text = lines[0] ?? "";
	let last = text;
	for (const line of lines.slice(1)) {
		if (/[.!?:;。]$/.test(text) || USAGE.test(line) || !runsOn(last, line)) break;
		text += ` ${line}`;
		last = line;
	}
	return text;
}

const runsOn = (line: string, next: string): boolean =>
	/^\p{Ll}/u.test(next) || RUNS_ON.test(line) || (line.length >= FULL_LINE && /^[("'`\d&]/.test(next));

function shorten(text: string): string {
	const characters = [...seenText(text).replace(/\s+/g, " ").trim()];
	return characters.length <= MAX_CHARACTERS ? characters.join("") : `${characters.slice(0, MAX_CHARACTERS - 1).join("")}…`;
}
