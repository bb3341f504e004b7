import matter from "gray-matter";
import { ConfigurationError } from "../errors/configuration-error.js";
import type { FrontMatter } from "../markdown/front-matter.js";
import { FrontMatterFlaw } from "../markdown/front-matter-flaw.js";
import { parseFrontMatter } from "../markdown/parse-front-matter.js";
import { type QuotedValues, quoteValues } from "../markdown/quote-values.js";
import { splitFrontMatter } from "../markdown/split-front-matter.js";
import { Instructions } from "./instructions.js";

/** What a SKILL.md says. */
export interface ParsedSkillFile {
	readonly frontMatter: FrontMatter;
	readonly instructions: Instructions;
	/** The values that were read as if they stood in quotes. */
	readonly quoted: QuotedValues["lines"];
}

/** The parser may see a further value without quotes only when an earlier one has them. */
const MAX_ATTEMPTS = 10;
/** Nobody forgets more quotes than that, and each attempt reads the whole again. */
const MAX_QUOTED = 100;

/**
 * Reads the text of a SKILL.md. Runs nothing that is in it. Throws a {@link FrontMatterFlaw}.
 *
 * @param options.quoting Whether values that hold an unquoted `: `, which is no YAML and common all the same, are read as if they stood in
 * quotes. Default false.
 */
export function parseSkillFile(text: string, { quoting = false }: { readonly quoting?: boolean } = {}): ParsedSkillFile {
	const { frontMatter, body } = splitFrontMatter(text);
	const quoted: QuotedValues["lines"][number][] = [];
	let yaml = frontMatter;
	for (let attempts = 1; ; attempts++) {
		try {
			return { ...parse(yaml, body), quoted };
		} catch (error) {
			const mayQuote = quoting && attempts < MAX_ATTEMPTS && FrontMatterFlaw.isInstance(error) && error.unquotedLines.length <= MAX_QUOTED;
			const mended = mayQuote ? withQuotes(yaml, error.unquotedLines) : undefined;
			if (mended === undefined) throw error;
			yaml = mended.text;
			quoted.push(...mended.lines);
		}
	}
}

/** A line for the fence, since lines are those of the file. */
function withQuotes(frontMatter: string, lines: readonly number[]): QuotedValues | undefined {
	const quoted = lines.length === 0 ? undefined : quoteValues(`\n${frontMatter}`, lines);
	return quoted && { ...quoted, text: quoted.text.slice(1) };
}

function parse(frontMatter: string, body: string): Pick<ParsedSkillFile, "frontMatter" | "instructions"> {
	let parsed: FrontMatter | undefined;
	// options on every call: without them results are cached, shared, and empty for a file that failed before
	const file = matter(`---\n${frontMatter}\n---\n${body}`, {
		language: "yaml",
		delimiters: ["---", "---\n"],
		engines: {
			...REFUSED_ENGINES,
			yaml: (yaml: string) => {
				parsed = parseFrontMatter(yaml);
				return parsed.values;
			},
		},
		// a function of ours, because otherwise the front matter itself has a say in it
		excerpt: () => "",
	});
	return { frontMatter: parsed ?? parseFrontMatter(""), instructions: new Instructions(file.content) };
}

/** gray-matter evaluates JavaScript front matter with `eval` unless each of its engines is replaced. */
const REFUSED_ENGINES: Record<string, () => never> = Object.fromEntries(
	["javascript", "js", "coffee", "coffeescript", "cson", "json", "toml"].map((language) => [language, refuse(language)]),
);

function refuse(language: string): () => never {
	return () => {
		throw new ConfigurationError(`its front matter is ${language}; only YAML is read.`);
	};
}
