import { readFlatFrontMatter } from "../markdown/flat-front-matter.js";
import { splitFrontMatter } from "../markdown/split-front-matter.js";
import type { ParsedSkillFile } from "./parse-skill-file.js";
import type { ValidationMode } from "./validation-mode.js";

let parser: typeof import("./parse-skill-file.js") | undefined;

/** Reads the text of a SKILL.md, fast where its front matter is plain. Runs nothing that is in it. Rejects with a `FrontMatterFlaw`. */
export async function readSkillText(text: string, mode: ValidationMode): Promise<ParsedSkillFile> {
	const { frontMatter, body } = splitFrontMatter(text);
	const flat = readFlatFrontMatter(frontMatter);
	if (flat !== undefined) return { frontMatter: flat, instructions: body.trim(), quoted: [] };
	// The parsers are a third of what importing this package costs, and plain front matter needs neither.
	parser ??= await import("./parse-skill-file.js");
	return parser.parseSkillFile(text, { quoting: mode === "lenient" });
}
