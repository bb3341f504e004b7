import { ConfigurationError } from "../errors/configuration-error.js";
import { describeValue, isList, isRecord } from "../text/describe-value.js";
import { frozenCopy } from "../value/frozen-copy.js";

/** What is known of a document besides its text: where it is from, who wrote it. */
export type DocumentMetadata = Readonly<Record<string, unknown>>;

/** A text that is kept, below its key. */
export interface StoredDocument {
	readonly key: string;
	readonly text: string;
	/** A frozen copy of what was given, as JSON has it; `{}` where nothing was. */
	readonly metadata: DocumentMetadata;
}

/** A document to be kept. */
export interface NewDocument {
	/** Any text, the empty one included. */
	readonly key: string;
	readonly text: string;
	/** A record of plain data. Default `{}`. */
	readonly metadata?: DocumentMetadata | undefined;
}

/** The documents of a store as JSON. */
export interface DocumentStoreRecord {
	readonly documents: readonly StoredDocument[];
}

/** The document as it is kept. Throws ConfigurationError, beginning with `what`, for what is none. */
export function storedDocument(what: string, given: unknown): StoredDocument {
	if (!isRecord(given)) throw new ConfigurationError(`${what} takes documents with a key and a text, got ${describeValue(given)}.`);
	const { key, text, metadata } = given;
	if (typeof key !== "string") throw new ConfigurationError(`${what}: the key must be a text, got ${describeValue(key)}.`);
	if (typeof text !== "string")
		throw new ConfigurationError(`${what}: the text of ${describeValue(key)} must be a text, got ${describeValue(text)}.`);
	return Object.freeze({ key, text, metadata: metadata === undefined ? NOTHING : copyOf(what, key, metadata) });
}

/** The documents in a record, or in its text. Throws ConfigurationError where it is none; the documents are still to be checked. */
export function documentsOfRecord(what: string, json: unknown): readonly unknown[] {
	const record = typeof json === "string" ? parsed(what, json) : json;
	if (isRecord(record) && isList(record.documents)) return record.documents;
	throw new ConfigurationError(`${what} takes what toJSON() gave: a record with a list of documents, got ${describeValue(record)}.`);
}

const NOTHING: DocumentMetadata = Object.freeze({});

/** By way of JSON, so that what is read now is what is read after `toJSON` and back. */
function copyOf(what: string, key: string, metadata: unknown): DocumentMetadata {
	const copy = isRecord(metadata) ? parsed(what, written(what, key, metadata)) : undefined;
	if (isRecord(copy)) return frozenCopy(copy);
	throw new ConfigurationError(
		`${what}: the metadata of ${describeValue(key)} must be a record of plain data, got ${describeValue(metadata)}.`,
	);
}

function written(what: string, key: string, metadata: object): string {
	try {
		return JSON.stringify(metadata) ?? "null";
	} catch (cause) {
		throw new ConfigurationError(`${what}: the metadata of ${describeValue(key)} must be plain data that JSON can write.`, { cause });
	}
}

function parsed(what: string, text: string): unknown {
	try {
		return JSON.parse(text);
	} catch (cause) {
		throw new ConfigurationError(`${what} takes what toJSON() gave, or its text: this text is not JSON.`, { cause });
	}
}
