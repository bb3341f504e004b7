import { ConfigurationError } from "../errors/configuration-error.js";
import type { RobotLabErrorOptions } from "../errors/robot-lab-error.js";

/** Which rule of front matter a text breaks. */
export type FrontMatterRule =
	| "front_matter_missing"
	| "front_matter_unclosed"
	| "front_matter_language"
	| "front_matter_too_long"
	| "yaml_invalid";

/** What is known of where it is wrong, and of how it may be mended. */
export interface FrontMatterFlawOptions extends RobotLabErrorOptions {
	/** From 1, in the file. */
	readonly line?: number | undefined;
	/** The lines with a value that would be a text if it stood in quotes. */
	readonly unquotedLines?: readonly number[];
}

/** Why the front matter of a Markdown file cannot be read. The message does not name the file. */
export class FrontMatterFlaw extends ConfigurationError {
	static override readonly typeName: string = "FrontMatterFlaw";
	readonly rule: FrontMatterRule;
	readonly line: number | undefined;
	readonly unquotedLines: readonly number[];

	constructor(rule: FrontMatterRule, message: string, { line, unquotedLines = [], ...options }: FrontMatterFlawOptions = {}) {
		super(message, options);
		this.rule = rule;
		this.line = line;
		this.unquotedLines = unquotedLines;
	}
}
