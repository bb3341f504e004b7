import { ConfigurationError } from "../errors/configuration-error.js";

/** A Markdown file taken apart, line ends and byte order mark normalised. */
export interface SplitMarkdown {
	/** The lines between the fences. */
	readonly frontMatter: string;
	/** What stands below the second fence. */
	readonly body: string;
}

/** Not `^` and `$`, which take other characters than a line feed for line ends. */
const FENCE = /(?<![^\n])---[ \t]*(?![^\n])/;
/** Far above any real one, and small enough for parsers that need more time per line the more lines there are. */
const MAX_FRONT_MATTER = 64 * 1024;
const MAX_BLANK_LINES = 100;

/**
 * Takes a Markdown file apart at its fences: lines of `---` alone, the first of them the file's first line. Throws a
 * ConfigurationError when there are none, or when the first names another language than YAML.
 */
export function splitFrontMatter(text: string): SplitMarkdown {
	const clean = text.replace(/^\uFEFF/, "").replaceAll(/\r\n?/g, "\n");
	const opening = clean.split("\n", 1)[0] ?? "";
	assertOpening(opening);
	const rest = clean.slice(opening.length + 1);
	const closing = FENCE.exec(rest);
	if (closing === null) throw new ConfigurationError('its front matter is never closed. Put a line of "---" below it.');
	const frontMatter = rest.slice(0, Math.max(0, closing.index - 1));
	assertModest(frontMatter);
	return { frontMatter, body: rest.slice(closing.index + closing[0].length + 1) };
}

function assertOpening(line: string): void {
	const language = /^---(?!-)(.*)$/.exec(line)?.[1]?.trim();
	if (language === undefined) {
		throw new ConfigurationError(
			'it has no front matter. Start the file with a line of "---", then name and description, then another line of "---".',
		);
	}
	if (language === "" || language === "yaml") return;
	throw new ConfigurationError(
		`its front matter says that it is ${JSON.stringify(language.slice(0, 60))}; only YAML is read. Start the file with a line of "---" alone.`,
	);
}

function assertModest(frontMatter: string): void {
	if (frontMatter.length > MAX_FRONT_MATTER)
		throw new ConfigurationError(`its front matter is longer than ${MAX_FRONT_MATTER} characters. Move text below it.`);
	let blank = 0;
	for (const line of frontMatter.split("\n")) {
		blank = line.trim() === "" ? blank + 1 : 0;
		if (blank > MAX_BLANK_LINES)
			throw new ConfigurationError(`its front matter has more than ${MAX_BLANK_LINES} blank lines in a row. Take them out.`);
	}
}
