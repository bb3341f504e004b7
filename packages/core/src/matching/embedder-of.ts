import type { EmbeddingModelV3, EmbeddingModelV4 } from "@ai-sdk/provider";
import type { Calibration, Embedder } from "../embedding/embedder.js";
import { checkVectorFacts } from "../embedding/embedder-check.js";
import { ConfigurationError } from "../errors/configuration-error.js";
import { checkNames } from "../options/check-options.js";
import { mapConcurrently } from "../process/map-concurrently.js";
import { describeValue, isRecord } from "../text/describe-value.js";

/** An embedding model of the AI SDK's provider specification, as AI SDK 6 and 7 have them. */
export type EmbeddingModel = EmbeddingModelV4 | EmbeddingModelV3;

/** What is known of a model's vectors. */
export interface EmbedderOfOptions {
	/** How a cosine becomes a confidence. Default: not at all; skills are offered to the model, and none is activated unless a threshold is given. */
	readonly calibration?: Calibration | undefined;
	/** The cosine from which a skill is active, where there is no calibration. Default: none is. */
	readonly threshold?: number | undefined;
	/** See `Embedder.saysSame`. Default: like vectors are enough. */
	readonly saysSame?: ((one: string, other: string) => boolean) | undefined;
}

/** Calls of a model that allows several at once. */
const PARALLEL_CALLS = 4;

/**
 * An embedder that asks a model of the AI SDK, for instance `embedderOf(openai.embedding("text-embedding-3-small"))`. As many texts in a call as the model
 * takes; four calls at once where it allows it, else one after the other. Nothing is tried again: a matcher answers by its fallback and asks anew the next time.
 *
 * Throws ConfigurationError for what is no model of the specification, and for options that are none.
 */
export function embedderOf(model: EmbeddingModel, options: EmbedderOfOptions = {}): Embedder {
	checkEmbeddingModel(model);
	checkNames("embedderOf()", options, ["calibration", "threshold", "saysSame"]);
	const { calibration, threshold, saysSame } = options;
	checkVectorFacts("embedderOf()", options);
	return {
		id: `${model.provider}/${model.modelId}`,
		...(calibration !== undefined && { calibration }),
		...(threshold !== undefined && { threshold }),
		...(saysSame !== undefined && { saysSame }),
		embed: async (texts, { signal } = {}) => {
			const [most, isParallel] = await Promise.all([model.maxEmbeddingsPerCall, model.supportsParallelCalls]);
			signal?.throwIfAborted();
			const calls = await mapConcurrently(batchesOf(texts, most ?? texts.length), isParallel ? PARALLEL_CALLS : 1, async (values) => {
				signal?.throwIfAborted();
				const { embeddings } = await model.doEmbed({ values, ...(signal && { abortSignal: signal }) });
				// their number alone would not tell: one call may give too few, and another too many
				if (embeddings.length !== values.length)
					throw new TypeError(`a call with ${values.length} texts gave ${embeddings.length} vectors`);
				return embeddings;
			});
			return calls.flat();
		},
	};
}

function checkEmbeddingModel(model: unknown): void {
	const { specificationVersion, doEmbed, provider, modelId } = (
		isRecord(model) || typeof model === "function" ? model : {}
	) as Partial<EmbeddingModel>;
	const isModel = typeof doEmbed === "function" && typeof provider === "string" && typeof modelId === "string";
	if (isModel && (specificationVersion === "v4" || specificationVersion === "v3")) return;
	const got = isModel ? `one of version ${describeValue(specificationVersion)}` : describeValue(model);
	throw new ConfigurationError(
		`embedderOf() takes an embedding model of the AI SDK with specificationVersion "v4" or "v3", got ${got}. Give the model of a provider's package, not its name.`,
	);
}

function batchesOf(texts: readonly string[], most: number): string[][] {
	const size = most >= 1 ? Math.min(Math.floor(most), texts.length) : 1;
	return Array.from({ length: texts.length === 0 ? 0 : Math.ceil(texts.length / size) }, (_, index) =>
		texts.slice(index * size, (index + 1) * size),
	);
}
