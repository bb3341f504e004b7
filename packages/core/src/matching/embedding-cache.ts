import { ConfigurationError } from "../errors/configuration-error.js";
import { checkCount } from "../options/check-numbers.js";
import { checkNames } from "../options/check-options.js";
import { expandPath } from "../paths/expand-path.js";
import { describeValue, isRecord } from "../text/describe-value.js";
import { VectorStore } from "./vector-store.js";

export interface EmbeddingCacheOptions {
	/** Where the files lie, and nothing else; made where it is not there. `~` is expanded. */
	readonly directory: string;
	/** The most that all files together hold; the oldest give way. Default 256 MiB. */
	readonly maxBytes?: number | undefined;
}

const DEFAULT_MAX_BYTES = 256 * 2 ** 20;

let storeWithin: (cache: object) => VectorStore | undefined;

/**
 * Keeps the vectors of skills on disk for the matchers that are given it, below the embedder's id and digests of the texts; the texts are not there. Several
 * processes can share a directory. What cannot be read, or is no such file, is passed over with a process warning, once, and so is a directory that cannot be
 * written. Whoever can write there can have a wrong skill matched, and nothing else.
 */
export class EmbeddingCache {
	readonly #store: VectorStore;

	/** Throws ConfigurationError for options that are none. */
	constructor(options: EmbeddingCacheOptions) {
		const what = "new EmbeddingCache()";
		checkNames(what, options, ["directory", "maxBytes"]);
		const { directory, maxBytes = DEFAULT_MAX_BYTES } = options;
		if (typeof directory !== "string" || directory.trim() === "")
			throw new ConfigurationError(`${what}: directory must be a path, got ${describeValue(directory)}.`);
		checkCount(`${what}: maxBytes`, maxBytes, 1);
		this.#store = new VectorStore(expandPath(directory), maxBytes);
	}

	static {
		storeWithin = (cache) => (#store in cache ? cache.#store : undefined);
	}
}

/** What a cache keeps vectors in; `undefined` for what is no cache. */
export const storeOf = (cache: unknown): VectorStore | undefined => (isRecord(cache) ? storeWithin(cache) : undefined);
