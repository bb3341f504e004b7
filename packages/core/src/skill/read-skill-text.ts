import { readFlatFrontMatter } from "../markdown/flat-front-matter.js";
import { splitFrontMatter } from "../markdown/split-front-matter.js";
import { Instructions } from "./instructions.js";
import type { ParsedSkillFile } from "./parse-skill-file.js";
import type { ValidationMode } from "./validation-mode.js";

/** What a SKILL.md says, as a text or as the bytes of its file, which are UTF-8. */
export type SkillText = string | Buffer;

let parser: typeof import("./parse-skill-file.js") | undefined;

/** Reads the text of a SKILL.md, fast where its front matter is plain. Runs nothing that is in it. Rejects with a `FrontMatterFlaw`. */
export async function readSkillText(text: SkillText, mode: ValidationMode): Promise<ParsedSkillFile> {
	const plain = typeof text === "string" ? undefined : readPlain(text);
	if (plain !== undefined) return plain;
	// The parsers are a third of what importing this package costs, and plain front matter needs neither.
	parser ??= await import("./parse-skill-file.js");
	return parser.parseSkillFile(text.toString(), { quoting: mode === "lenient" });
}

const OPENING = Buffer.from("---\n");
const CLOSING = Buffer.from("\n---\n");

/**
 * A file with a plain fence before plain front matter and one behind it, as nearly all have. `undefined` for all else, mistakes included: that is for the
 * parser, with which this agrees. Makes a text of no more than the front matter.
 */
export function readPlain(bytes: Buffer): ParsedSkillFile | undefined {
	// The first fence ends with the line feed that the other begins with where there is nothing between them.
	const closing = bytes.indexOf(CLOSING, OPENING.length - 1);
	if (closing === -1 || !bytes.subarray(0, OPENING.length).equals(OPENING)) return undefined;
	const end = closing + CLOSING.length;
	const head = bytes.toString("utf8", 0, end);
	if (head.includes("\r")) return undefined;
	const { frontMatter, body } = splitFrontMatter(head);
	// Another fence stands before it, with blanks behind it.
	if (body !== "") return undefined;
	const values = readFlatFrontMatter(frontMatter);
	return values && { frontMatter: values, instructions: new Instructions(bytes.subarray(end)), quoted: [] };
}
