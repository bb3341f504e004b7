import type { Embedder, EmbeddingModel } from "./contract.js";
import { createEmbedder } from "./create-embedder.js";
import { createEmbeddingModel } from "./create-embedding-model.js";
import { HYBRID } from "./hybrid-vectors.js";
import { LIGHT } from "./light-vectors.js";
import type { Vectors } from "./vectors.js";

export type { Calibration, Embedder, EmbeddingModel, EmbedOptions } from "./contract.js";

export interface EmbedderOptions {
	/**
	 * `"hybrid"`: whole sentences, words and spelling, vectors of 872 numbers. `"light"`: words and spelling, 512 numbers, a third of the memory
	 * and a hundredth of the time. Default `"hybrid"`.
	 */
	readonly part?: "hybrid" | "light";
}

const PARTS: ReadonlyMap<unknown, Vectors> = new Map([
	["hybrid", HYBRID],
	["light", LIGHT],
]);

/** An embedder for skills and everything else that takes one. Reads nothing before it is first used. Throws a TypeError for an unknown option or part. */
export const embedder = (options?: EmbedderOptions): Embedder => createEmbedder(vectorsOf("embedder", options));

/** An embedding model for the AI SDK. Throws a TypeError for an unknown option or part. */
export const embeddingModel = (options?: EmbedderOptions): EmbeddingModel => createEmbeddingModel(vectorsOf("embeddingModel", options));

function vectorsOf(what: string, options: EmbedderOptions = {}): Vectors {
	const unknown = Object.keys(options).find((name) => name !== "part");
	if (unknown !== undefined) throw new TypeError(`${what}(): unknown option "${unknown}"; the only one is "part".`);
	const { part = "hybrid" } = options;
	const vectors = PARTS.get(part);
	if (vectors === undefined) throw new TypeError(`${what}(): part must be "hybrid" or "light", got ${JSON.stringify(part)}.`);
	return vectors;
}
