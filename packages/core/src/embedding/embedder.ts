/**
 * Turns texts into vectors whose direction stands for what a text is about.
 *
 * Thresholds and calibration belong to one embedder: the same number means something else to another. An embedder that states none
 * leaves the choice to its user.
 */
export interface Embedder {
	/** Which embedder and version, e.g. `"lexical-v1"`. Whoever keeps vectors keeps it with them: those of different ids cannot be compared. */
	readonly id: string;
	/** The cosine from which a skill is activated, inclusive, where there is no calibration. Absent: none is; those alike are offered to the model. */
	readonly threshold?: number;
	/** How a score becomes a confidence. Absent: the score itself, within 0 and 1. */
	readonly calibration?: Calibration;
	/**
	 * Whether two texts whose vectors are alike say the same: for an embedder whose vectors do not show what a question turns on (the order of
	 * its words, a "not"). A cache asks it before it gives the answer to one for the answer to the other. Absent: like vectors are enough.
	 */
	readonly saysSame?: (one: string, other: string) => boolean;
	/** One vector for each text, in order, all of one length. A text without meaning is a vector of zeros. May throw. */
	embed(texts: readonly string[], options?: EmbedOptions): Promise<readonly (readonly number[] | Float32Array)[]>;
}

export interface EmbedOptions {
	/** Nobody waits for the vectors any more once it is aborted. Default: they are always waited for. */
	readonly signal?: AbortSignal | undefined;
}

/** `1 / (1 + exp(-(bias + score·s + margin·(s − rival))))`: how likely a match is right, from its score and its lead over the best other one. */
export interface Calibration {
	readonly bias: number;
	readonly score: number;
	readonly margin: number;
	/** The confidence from which a skill is activated, inclusive. Absent: none is, whatever the confidence; skills are offered. */
	readonly activate?: number;
	/** The confidence from which a skill is offered to the model, inclusive. Absent: 0. */
	readonly offer?: number;
}
