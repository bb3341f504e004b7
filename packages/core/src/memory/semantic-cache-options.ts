import type { Embedder } from "../embedding/embedder.js";
import { checkEmbedder } from "../embedding/embedder-check.js";
import { lexicalEmbedder } from "../embedding/lexical-embedder.js";
import { ConfigurationError } from "../errors/configuration-error.js";
import { checkCount, checkShareAboveZero } from "../options/check-numbers.js";
import { checkNames } from "../options/check-options.js";
import { describeValue } from "../text/describe-value.js";

/** How a semantic cache finds answers, and how long it keeps them. */
export interface SemanticCacheOptions {
	/**
	 * What tells how alike two questions are. Default: `lexicalEmbedder()`, which needs no model and finds a question only in its own words,
	 * whatever their case, and however it is opened and closed.
	 */
	readonly embedder?: Embedder | undefined;
	/** The cosine from which two questions are one, above 0 to 1. Default 0.95; another embedder may need another. */
	readonly threshold?: number | undefined;
	/** Answers kept, 1 or more. Default 1,000; the one that was not asked for longest gives way. */
	readonly maxEntries?: number | undefined;
	/** How long an answer is kept, above 0. Default: as long as there is room. */
	readonly ttlMs?: number | undefined;
}

export type ResolvedCacheOptions = {
	readonly [Name in keyof Required<SemanticCacheOptions>]: NonNullable<SemanticCacheOptions[Name]>;
};

const NAMES: readonly (keyof SemanticCacheOptions)[] = ["embedder", "threshold", "maxEntries", "ttlMs"];

/** Options with their defaults. Throws ConfigurationError, beginning with `what`, for one that is unknown or cannot be. */
export function checkCacheOptions(what: string, options: SemanticCacheOptions): ResolvedCacheOptions {
	checkNames(what, options, NAMES);
	const { embedder = lexicalEmbedder(), threshold = 0.95, maxEntries = 1_000, ttlMs = Number.POSITIVE_INFINITY } = options;
	checkEmbedder(what, embedder);
	checkShareAboveZero(`${what}: threshold`, threshold);
	checkCount(`${what}: maxEntries`, maxEntries, 1);
	if (!(typeof ttlMs === "number" && ttlMs > 0))
		throw new ConfigurationError(`${what}: ttlMs must be a number of milliseconds above 0, got ${describeValue(ttlMs)}.`);
	return { embedder, threshold, maxEntries, ttlMs };
}
