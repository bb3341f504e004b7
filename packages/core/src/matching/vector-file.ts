import { createHash } from "node:crypto";

/** Vectors by the digests of their texts, all of one length; `undefined` for a text without meaning. */
export type KeptVectors = ReadonlyMap<string, Float32Array | undefined>;

/** What a file begins with: what it is, the embedder, how many vectors of how many numbers. */
const MAGIC = Buffer.from("robotlab-vec-1\0\0", "latin1");
const ID_BYTES = 32;
const KEY_BYTES = 16;
const MAX_DIMENSIONS = 65_536;

/** Bytes of a file before its records. */
export const HEADER_BYTES: number = MAGIC.length + ID_BYTES + 8;

/** Bytes of the record of one vector. */
export const recordBytesOf = (dimensions: number): number => KEY_BYTES + dimensions * 4;

/** How many numbers vectors have that can be kept; `undefined` for none, where there is none with a meaning. */
export function dimensionsOf(vectors: KeptVectors): number | undefined {
	for (const vector of vectors.values()) if (vector !== undefined) return vector.length <= MAX_DIMENSIONS ? vector.length : undefined;
	return undefined;
}

/** Vectors of so many numbers as the bytes of a file. */
export function vectorFile(embedderId: string, dimensions: number, vectors: KeptVectors): Buffer {
	const recordBytes = recordBytesOf(dimensions);
	const records = Buffer.alloc(vectors.size * recordBytes);
	for (const [index, [key, vector]] of [...vectors].entries()) {
		const at = index * recordBytes;
		records.write(key, at, KEY_BYTES, "hex");
		for (const [place, value] of (vector ?? []).entries()) records.writeFloatLE(value, at + KEY_BYTES + place * 4);
	}
	return fileOf(embedderId, dimensions, [records]);
}

/** One file of several of the same embedder whose vectors have so many numbers. */
export const joinedFile = (embedderId: string, dimensions: number, files: readonly Buffer[]): Buffer =>
	fileOf(embedderId, dimensions, files.map((file) => file.subarray(HEADER_BYTES))); // biome-ignore format: one line

/** How many numbers each vector of a file has; `undefined` for what is no such file, or one of another embedder. @param size The file's. */
export function readHeader(embedderId: string, header: Buffer, size: number): number | undefined {
	if (header.length < HEADER_BYTES || !header.subarray(0, MAGIC.length).equals(MAGIC)) return undefined;
	if (!header.subarray(MAGIC.length, MAGIC.length + ID_BYTES).equals(idOf(embedderId))) return undefined;
	const dimensions = header.readUInt32LE(MAGIC.length + ID_BYTES);
	const count = header.readUInt32LE(MAGIC.length + ID_BYTES + 4);
	if (dimensions === 0 || dimensions > MAX_DIMENSIONS) return undefined;
	return size === HEADER_BYTES + count * recordBytesOf(dimensions) ? dimensions : undefined;
}

/** Adds the wanted vectors of whole records to those that were found, without those that make no sense. Nothing is made of the others. */
export function takeWanted(
	records: Buffer,
	dimensions: number,
	wanted: ReadonlySet<string>,
	found: Map<string, Float32Array | undefined>,
): void {
	const recordBytes = recordBytesOf(dimensions);
	for (let at = 0; at < records.length; at += recordBytes) {
		const key = records.toString("hex", at, at + KEY_BYTES);
		if (!wanted.has(key) || found.has(key)) continue;
		const vector = new Float32Array(dimensions);
		for (let place = 0; place < dimensions; place += 1) vector[place] = records.readFloatLE(at + KEY_BYTES + place * 4);
		if (vector.every(Number.isFinite)) found.set(key, vector.some((value) => value !== 0) ? vector : undefined);
	}
}

function fileOf(embedderId: string, dimensions: number, records: readonly Buffer[]): Buffer {
	const numbers = Buffer.alloc(8);
	numbers.writeUInt32LE(dimensions);
	numbers.writeUInt32LE(records.reduce((sum, { length }) => sum + length, 0) / recordBytesOf(dimensions), 4);
	return Buffer.concat([MAGIC, idOf(embedderId), numbers, ...records]);
}

const idOf = (embedderId: string): Buffer => createHash("sha256").update(embedderId).digest();
