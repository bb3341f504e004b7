import { similarityTo } from "../embedding/unit-vector.js";
import type { StoredDocument } from "./document.js";

/** A document that is like a query. */
export interface DocumentMatch extends StoredDocument {
	/** The cosine of query and text: above 0, to 1. */
	readonly score: number;
}

export interface DocumentEntry {
	readonly document: StoredDocument;
	/** Absent where the embedder found no meaning in the text: nothing is like it. */
	readonly vector: Float32Array | undefined;
}

export interface NearestOptions {
	readonly limit: number;
	readonly minScore: number;
}

/** The entries most like a query, best first, of equally good ones in their order. */
export function nearestDocuments(query: Float32Array, entries: Iterable<DocumentEntry>, options: NearestOptions): readonly DocumentMatch[] {
	const scoreOf = similarityTo(query);
	return Array.from(entries, ({ document, vector }) => ({ document, score: vector === undefined ? 0 : scoreOf(vector) }))
		.filter(({ score }) => score > 0 && score >= options.minScore)
		.sort((one, other) => other.score - one.score)
		.slice(0, options.limit)
		.map(({ document, score }) => Object.freeze({ ...document, score }));
}
