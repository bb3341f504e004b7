import { FrontMatterFlaw } from "./front-matter-flaw.js";

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
const MAX_FRONT_MATTER = 32 * 1024;
const MAX_BLANK_LINES = 100;

/**
 * Takes a Markdown file apart at its fences: lines of `---` alone, the first of them the file's first line. Throws a
 * {@link FrontMatterFlaw} when there are none, or when the first names another language than YAML.
 */
export function splitFrontMatter(text: string): SplitMarkdown {
	const clean = withLineFeeds(text.startsWith("\uFEFF") ? text.slice(1) : text);
	const opening = clean.split("\n", 1)[0] ?? "";
	assertOpening(opening);
	const rest = clean.slice(opening.length + 1);
	const closing = FENCE.exec(rest);
	if (closing === null)
		throw new FrontMatterFlaw("front_matter_unclosed", 'its front matter is never closed. Put a line of "---" below it.', { line: 1 });
	const frontMatter = rest.slice(0, Math.max(0, closing.index - 1));
	assertModest(frontMatter);
	return { frontMatter, body: rest.slice(closing.index + closing[0].length + 1) };
}

export const withLineFeeds = (text: string): string => (text.includes("\r") ? text.replaceAll(/\r\n?/g, "\n") : text);

function assertOpening(line: string): void {
	const language = /^---(?!-)(.*)$/.exec(line)?.[1]?.trim();
	if (language === undefined) {
		throw new FrontMatterFlaw(
			"front_matter_missing",
			'it has no front matter. Start the file with a line of "---", then name and description, then another line of "---".',
			{ line: 1 },
		);
	}
	if (language === "" || language === "yaml") return;
	throw new FrontMatterFlaw(
		"front_matter_language",
		`its front matter says that it is ${JSON.stringify(language.slice(0, 60))}; only YAML is read. Start the file with a line of "---" alone.`,
		{ line: 1 },
	);
}

function assertModest(frontMatter: string): void {
	if (frontMatter.length > MAX_FRONT_MATTER)
		throw tooLong(`its front matter is longer than ${MAX_FRONT_MATTER} characters. Move text below it.`);
	const lines = frontMatter.split("\n");
	if (lines.length <= MAX_BLANK_LINES) return;
	let blank = 0;
	for (const line of lines) {
		blank = line.trim() === "" ? blank + 1 : 0;
		if (blank > MAX_BLANK_LINES) throw tooLong(`its front matter has more than ${MAX_BLANK_LINES} blank lines in a row. Take them out.`);
	}
}

const tooLong = (message: string): FrontMatterFlaw => new FrontMatterFlaw("front_matter_too_long", message, { line: 1 });
