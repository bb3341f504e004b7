import type { Embedder, EmbedOptions } from "../embedding/embedder.js";
import { unitVectorOf, unitVectorsOf } from "../embedding/unit-vector.js";
import { VectorSet } from "../embedding/vector-set.js";
import { ConfigurationError } from "../errors/configuration-error.js";
import { checkNames } from "../options/check-options.js";
import { untilAborted } from "../process/until-aborted.js";
import { describeValue } from "../text/describe-value.js";
import {
	type DocumentMetadata,
	type DocumentStoreRecord,
	documentsOfRecord,
	type NewDocument,
	type StoredDocument,
	storedDocument,
} from "./document.js";
import type { DocumentMatch } from "./document-match.js";
import { checkSearchOptions, checkStoreOptions, type DocumentSearchOptions, type DocumentStoreOptions } from "./document-options.js";

/** What one call is about to set, by keys; what another call has overtaken is not in it any more. */
type Writing = Map<string, StoredDocument>;

/**
 * Texts below keys, found by how much they are like a query. What is kept and given is plain data, and frozen. Of calls for one key the last one
 * counts, whichever embedding is ready first; a call that fails counts for nothing.
 */
export class DocumentStore {
	readonly #embedder: Embedder;
	readonly #maxDocuments: number;
	/** What was set longest ago first. */
	readonly #documents: Map<string, StoredDocument> = new Map();
	/** In the same order. A text in which the embedder finds no meaning is not among them: nothing is like it. */
	readonly #vectors: VectorSet<StoredDocument> = new VectorSet();
	/** In the order in which they were called. */
	readonly #writing: Set<Writing> = new Set();

	/** Throws ConfigurationError for options that are none. */
	constructor(options: DocumentStoreOptions = {}) {
		const { embedder, maxDocuments } = checkStoreOptions("new DocumentStore()", options);
		this.#embedder = embedder;
		this.#maxDocuments = maxDocuments;
	}

	/**
	 * A store with the documents of a record, or of its text, that `toJSON` gave. Vectors are not in it: the embedder, which may be another one
	 * now, makes them anew, all in one call. Rejects with ConfigurationError for what is no such record, and with what the embedder throws.
	 */
	static async fromJSON(json: DocumentStoreRecord | string, options: DocumentStoreOptions = {}): Promise<DocumentStore> {
		const store = new DocumentStore(options);
		const what = "DocumentStore.fromJSON()";
		await store.#write(what, documentsOfRecord(what, json), {});
		return store;
	}

	/** How many documents there are. */
	get size(): number {
		return this.#documents.size;
	}

	/**
	 * Keeps a text in place of what is below its key; it is found when the promise resolves. Rejects with ConfigurationError for what is no
	 * document, and with what the embedder throws; nothing is changed then.
	 */
	async set(key: string, text: string, metadata?: DocumentMetadata): Promise<void> {
		await this.#write("documents.set()", [{ key, text, metadata }], {});
	}

	/**
	 * Keeps several texts, all or none, as {@link set} does, in one call of the embedder. Of two with one key the later counts. Rejects with the
	 * signal's reason, too.
	 */
	async setAll(documents: Iterable<NewDocument>, options: EmbedOptions = {}): Promise<void> {
		const what = "documents.setAll()";
		checkNames(what, options, ["signal"]);
		if (typeof documents !== "object" || documents === null || typeof documents[Symbol.iterator] !== "function")
			throw new ConfigurationError(`${what} takes a list of documents, got ${describeValue(documents)}.`);
		await this.#write(what, documents, options);
	}

	/** The document below a key. */
	get(key: string): StoredDocument | undefined {
		return this.#documents.get(key);
	}

	/** Whether there is one. */
	has(key: string): boolean {
		return this.#documents.has(key);
	}

	/** Forgets a document, also one that is just being set. Whether there was one. */
	delete(key: string): boolean {
		for (const writing of this.#writing) writing.delete(key);
		return this.#remove(key);
	}

	/** Forgets all documents, those that are just being set included. */
	clear(): void {
		for (const writing of this.#writing) writing.clear();
		this.#documents.clear();
		this.#vectors.clear();
	}

	/** The keys there are; what was set longest ago first. */
	keys(): readonly string[] {
		return [...this.#documents.keys()];
	}

	/**
	 * The documents that are most like a query, best first, of equally good ones what was set longer ago first. Empty for a query without meaning.
	 * Rejects with ConfigurationError for what is no query, with what the embedder throws, and with the signal's reason.
	 */
	async search(query: string, options: DocumentSearchOptions = {}): Promise<readonly DocumentMatch[]> {
		const what = "documents.search()";
		if (typeof query !== "string") throw new ConfigurationError(`${what} takes a query of text, got ${describeValue(query)}.`);
		const { signal, ...wanted } = checkSearchOptions(what, options);
		signal?.throwIfAborted();
		const vector = await untilAborted(unitVectorOf(query, this.#embedder, { ...(signal && { signal }) }), signal);
		const nearest = vector === undefined ? [] : this.#vectors.nearest(vector, wanted);
		return Object.freeze(nearest.map(({ item, score }) => Object.freeze({ ...item, score })));
	}

	/** The documents as JSON, without their vectors. */
	toJSON(): DocumentStoreRecord {
		return { documents: [...this.#documents.values()] };
	}

	async #write(what: string, documents: Iterable<unknown>, options: EmbedOptions): Promise<void> {
		const given = new Map(Array.from(documents, (document) => storedDocument(what, document)).map((document) => [document.key, document]));
		const texts = [...given.values()].map(({ text }) => text);
		if (texts.length === 0) return;
		const writing: Writing = new Map(given);
		this.#writing.add(writing);
		try {
			options.signal?.throwIfAborted();
			const vectors = await untilAborted(unitVectorsOf(texts, this.#embedder, options), options.signal);
			for (const [index, key] of [...given.keys()].entries()) this.#put(writing, key, vectors[index]);
		} finally {
			this.#writing.delete(writing);
		}
	}

	/** Keeps what nothing overtook, and overtakes what was called before. */
	#put(writing: Writing, key: string, vector: Float32Array | undefined): void {
		const document = writing.get(key);
		if (document === undefined) return;
		for (const earlier of this.#writing) {
			if (earlier === writing) break;
			earlier.delete(key);
		}
		this.#remove(key);
		this.#documents.set(key, document);
		if (vector !== undefined) this.#vectors.add(document, vector);
		const [oldest] = this.#documents.keys();
		if (this.#documents.size > this.#maxDocuments && oldest !== undefined) this.#remove(oldest);
	}

	#remove(key: string): boolean {
		const document = this.#documents.get(key);
		if (document !== undefined) this.#vectors.delete(document);
		return this.#documents.delete(key);
	}
}
