import type { EmbeddingModel } from "./contract.js";
import { embedTexts } from "./embed-texts.js";
import type { Vectors } from "./vectors.js";

export function createEmbeddingModel({ id, load }: Vectors): EmbeddingModel {
	return {
		specificationVersion: "v4",
		provider: "robot-lab",
		modelId: id,
		maxEmbeddingsPerCall: Number.POSITIVE_INFINITY,
		// they would take turns on one thread
		supportsParallelCalls: false,
		doEmbed: async ({ values, abortSignal }) => {
			const vectors = await embedTexts(values, load, { signal: abortSignal });
			return { embeddings: vectors.map((vector) => Array.from(vector)), warnings: [] };
		},
	};
}
