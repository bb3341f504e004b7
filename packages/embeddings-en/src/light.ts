import type { Embedder, EmbeddingModel } from "./contract.js";
import { createEmbedder } from "./create-embedder.js";
import { createEmbeddingModel } from "./create-embedding-model.js";
import { LIGHT } from "./light-vectors.js";

export type { Calibration, Embedder, EmbeddingModel, EmbedOptions } from "./contract.js";

/** The light part for skills and everything else that takes an embedder: vectors of 512 numbers. Reads nothing before it is first used. */
export const embedder = (): Embedder => createEmbedder(LIGHT);

/** The light part for the AI SDK. */
export const embeddingModel = (): EmbeddingModel => createEmbeddingModel(LIGHT);
