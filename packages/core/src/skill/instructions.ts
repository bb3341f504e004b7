import { withLineFeeds } from "../markdown/split-front-matter.js";

/**
 * The text below the front matter of a SKILL.md, kept as the bytes that its file has: a catalog holds thousands of which a run reads one or two, and as
 * texts all of them would lie where the garbage collector carries them about.
 */
export class Instructions {
	readonly #source: string | Buffer;

	/** @param source As a text, line ends normalised, or as bytes of UTF-8, which are kept and must not be changed. */
	constructor(source: string | Buffer) {
		this.#source = source;
	}

	/** Trimmed. */
	get text(): string {
		return (typeof this.#source === "string" ? this.#source : withLineFeeds(this.#source.toString("utf8"))).trim();
	}
}
