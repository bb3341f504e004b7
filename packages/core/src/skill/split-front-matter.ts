import { ConfigurationError } from "../errors/configuration-error.js";

/** A SKILL.md taken apart, line ends and byte order mark normalised. */
export interface SplitSkillFile {
	/** The lines between the fences. */
	readonly frontMatter: string;
	/** What stands below the second fence. */
	readonly body: string;
}

const FENCE = /^---[ \t]*$/;
/** Far above any real one, and small enough for parsers that need more time per line the more lines there are. */
const MAX_FRONT_MATTER = 64 * 1024;
const MAX_BLANK_LINES = 100;

/**
 * Takes a SKILL.md apart at its fences: lines of `---` alone, the first of them the file's first line. Throws a
 * ConfigurationError when there are none, or when the first names another language than YAML.
 */
export function splitFrontMatter(text: string): SplitSkillFile {
	const lines = text.replace(/^\uFEFF/, "").split(/\r\n|\r|\n/);
	assertOpening(lines[0] ?? "");
	const end = lines.findIndex((line, index) => index > 0 && FENCE.test(line));
	if (end === -1) throw new ConfigurationError('its front matter is never closed. Put a line of "---" below it.');
	const frontMatter = lines.slice(1, end);
	assertModest(frontMatter);
	return { frontMatter: frontMatter.join("\n"), body: lines.slice(end + 1).join("\n") };
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

function assertModest(lines: readonly string[]): void {
	const size = lines.reduce((sum, line) => sum + line.length + 1, 0);
	if (size > MAX_FRONT_MATTER)
		throw new ConfigurationError(`its front matter is longer than ${MAX_FRONT_MATTER} characters. Move text below it.`);
	let blank = 0;
	for (const line of lines) {
		blank = line.trim() === "" ? blank + 1 : 0;
		if (blank > MAX_BLANK_LINES)
			throw new ConfigurationError(`its front matter has more than ${MAX_BLANK_LINES} blank lines in a row. Take them out.`);
	}
}
