import { createHash } from "node:crypto";

/** Vectors by the digests of their texts, all of one length; `undefined` for a text without meaning. */
export type KeptVectors = ReadonlyMap<string, Float32Array | undefined>;

/** What a file begins with: what it is, the embedder, how many vectors of how many numbers. */
const MAGIC = Buffer.from("robotlab-vec-1\0\0", "latin1");
const ID_BYTES = 32;
const HEADER_BYTES = MAGIC.length + ID_BYTES + 8;
const KEY_BYTES = 16;
const MAX_DIMENSIONS = 65_536;

/** Vectors as the bytes of a file; `undefined` for none. */
export function vectorFile(embedderId: string, vectors: KeptVectors): Buffer | undefined {
	const dimensions = [...vectors.values()].find((vector) => vector !== undefined)?.length;
	const kept = [...vectors].filter(([, vector]) => vector === undefined || vector.length === dimensions);
	if (dimensions === undefined || dimensions > MAX_DIMENSIONS) return undefined;
	const recordBytes = KEY_BYTES + dimensions * 4;
	const bytes = Buffer.alloc(HEADER_BYTES + kept.length * recordBytes);
	MAGIC.copy(bytes);
	idOf(embedderId).copy(bytes, MAGIC.length);
	bytes.writeUInt32LE(dimensions, MAGIC.length + ID_BYTES);
	bytes.writeUInt32LE(kept.length, MAGIC.length + ID_BYTES + 4);
	for (const [index, [key, vector]] of kept.entries()) {
		const at = HEADER_BYTES + index * recordBytes;
		bytes.write(key, at, KEY_BYTES, "hex");
		for (const [place, value] of (vector ?? []).entries()) bytes.writeFloatLE(value, at + KEY_BYTES + place * 4);
	}
	return bytes;
}

/** The vectors of a file, those without sense left out; `undefined` for what is no such file, or one of another embedder. */
export function readVectorFile(embedderId: string, bytes: Buffer): KeptVectors | undefined {
	if (bytes.length < HEADER_BYTES || !bytes.subarray(0, MAGIC.length).equals(MAGIC)) return undefined;
	if (!bytes.subarray(MAGIC.length, MAGIC.length + ID_BYTES).equals(idOf(embedderId))) return undefined;
	const dimensions = bytes.readUInt32LE(MAGIC.length + ID_BYTES);
	const count = bytes.readUInt32LE(MAGIC.length + ID_BYTES + 4);
	const recordBytes = KEY_BYTES + dimensions * 4;
	if (dimensions === 0 || dimensions > MAX_DIMENSIONS || bytes.length !== HEADER_BYTES + count * recordBytes) return undefined;
	const vectors = new Map<string, Float32Array | undefined>();
	for (let at = HEADER_BYTES; at < bytes.length; at += recordBytes) {
		const vector = new Float32Array(dimensions);
		for (let place = 0; place < dimensions; place += 1) vector[place] = bytes.readFloatLE(at + KEY_BYTES + place * 4);
		if (!vector.every(Number.isFinite)) continue;
		vectors.set(bytes.toString("hex", at, at + KEY_BYTES), vector.some((value) => value !== 0) ? vector : undefined);
	}
	return vectors;
}

const idOf = (embedderId: string): Buffer => createHash("sha256").update(embedderId).digest();
