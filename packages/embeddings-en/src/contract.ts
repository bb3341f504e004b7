/** What `@robot-lab/core` calls an Embedder: turns texts into vectors whose direction stands for what a text is about. */
export interface Embedder {
	/** Which vectors these are: those of different ids cannot be compared. */
	readonly id: string;
	/** How the cosine of a message and a skill becomes a confidence. */
	readonly calibration: Calibration;
	/** Whether two texts are the same words in the same order. The vectors alone do not show a "not". */
	readonly saysSame: (one: string, other: string) => boolean;
	/**
	 * One vector for each text, in order, all of one length and each of length 1. A text without a word is a vector of zeros. Rejects with a
	 * TypeError for what is no list of strings, with the signal's reason once that is aborted, and with the error of a file that cannot be read;
	 * the next call then tries to read it again.
	 */
	embed(texts: readonly string[], options?: EmbedOptions): Promise<readonly Float32Array[]>;
}

export interface EmbedOptions {
	/** Looked at between texts. Default: the vectors are always waited for. */
	readonly signal?: AbortSignal | undefined;
}

/** `1 / (1 + exp(-(bias + score·s + margin·(s − rival))))`: how likely a match is right, from its cosine and its lead over the best other one. */
export interface Calibration {
	readonly bias: number;
	readonly score: number;
	readonly margin: number;
	/** The confidence from which a skill is activated, inclusive. */
	readonly activate: number;
	/** The confidence from which a skill is offered to the model, inclusive. */
	readonly offer: number;
}

/** An embedding model of the AI SDK, version 4 of its specification. */
export interface EmbeddingModel {
	readonly specificationVersion: "v4";
	readonly provider: string;
	readonly modelId: string;
	readonly maxEmbeddingsPerCall: number;
	readonly supportsParallelCalls: boolean;
	/** Rejects as {@link Embedder.embed} does. */
	doEmbed(options: { values: string[]; abortSignal?: AbortSignal }): Promise<{ embeddings: number[][]; warnings: [] }>;
}
