import type { StoredDocument } from "./document.js";

/** A document that is like a query. */
export interface DocumentMatch extends StoredDocument {
	/** The cosine of query and text: above 0, to 1. */
	readonly score: number;
}
