import matter from "gray-matter";
import { ConfigurationError } from "../errors/configuration-error.js";
import { parseFrontMatter } from "../markdown/parse-front-matter.js";
import { splitFrontMatter } from "../markdown/split-front-matter.js";

/** What a SKILL.md says. */
export interface ParsedSkillFile {
	/** The front matter, deeply frozen, objects without a prototype. */
	readonly frontMatter: Readonly<Record<string, unknown>>;
	/** The text below the front matter, trimmed. */
	readonly instructions: string;
}

/** gray-matter evaluates JavaScript front matter with `eval` unless each of its engines is replaced. */
const ENGINES: Record<string, (text: string) => object> = {
	yaml: parseFrontMatter,
	...Object.fromEntries(
		["javascript", "js", "coffee", "coffeescript", "cson", "json", "toml"].map((language) => [language, refuse(language)]),
	),
};

/** Reads the text of a SKILL.md. Runs nothing that is in it. Throws a ConfigurationError that says what is wrong, without the file's name. */
export function parseSkillFile(text: string): ParsedSkillFile {
	const { frontMatter, body } = splitFrontMatter(text);
	// options on every call: without them results are cached, shared, and empty for a file that failed before
	const file = matter(`---\n${frontMatter}\n---\n${body}`, {
		language: "yaml",
		delimiters: ["---", "---\n"],
		engines: ENGINES,
		// a function of ours, because otherwise the front matter itself has a say in it
		excerpt: () => "",
	});
	return { frontMatter: file.data, instructions: file.content.trim() };
}

function refuse(language: string): () => never {
	return () => {
		throw new ConfigurationError(`its front matter is ${language}; only YAML is read.`);
	};
}
