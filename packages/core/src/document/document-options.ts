import type { Embedder, EmbedOptions } from "../embedding/embedder.js";
import { checkEmbedder } from "../embedding/embedder-check.js";
import { lexicalEmbedder } from "../embedding/lexical-embedder.js";
import { checkCount, checkShare } from "../options/check-numbers.js";
import { checkNames } from "../options/check-options.js";

/** How a store finds documents, and how many it keeps. */
export interface DocumentStoreOptions {
	/** What tells how alike two texts are. Default: `lexicalEmbedder()`, which needs no model and knows words, not what they mean. */
	readonly embedder?: Embedder | undefined;
	/** The most documents that are kept, 1 or more; the one that was set longest ago gives way. Default: all. */
	readonly maxDocuments?: number | undefined;
}

/** What is wanted of a search. */
export interface DocumentSearchOptions extends EmbedOptions {
	/** The most matches, 1 or more. Default 5. */
	readonly limit?: number | undefined;
	/** The cosine from which a document is a match, from 0 to 1. Default 0; what has a cosine of 0 or less never is one. */
	readonly minScore?: number | undefined;
}

/** Options with their defaults. Throws ConfigurationError, beginning with `what`, for one that is unknown or cannot be. */
export function checkStoreOptions(
	what: string,
	options: DocumentStoreOptions,
): { readonly embedder: Embedder; readonly maxDocuments: number } {
	checkNames(what, options, ["embedder", "maxDocuments"]);
	const { embedder = lexicalEmbedder(), maxDocuments } = options;
	checkEmbedder(what, embedder);
	if (maxDocuments !== undefined) checkCount(`${what}: maxDocuments`, maxDocuments, 1);
	return { embedder, maxDocuments: maxDocuments ?? Number.POSITIVE_INFINITY };
}

/** The same for a search. */
export function checkSearchOptions(
	what: string,
	options: DocumentSearchOptions,
): EmbedOptions & { readonly limit: number; readonly minScore: number } {
	checkNames(what, options, ["limit", "minScore", "signal"]);
	const { limit = 5, minScore = 0, signal } = options;
	checkCount(`${what}: limit`, limit, 1);
	checkShare(`${what}: minScore`, minScore);
	return { limit, minScore, ...(signal && { signal }) };
}
