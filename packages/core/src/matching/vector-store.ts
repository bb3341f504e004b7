import { createHash, randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, mkdir, open, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { toUnitLength } from "../embedding/unit-vector.js";
import { warnOnce } from "../errors/warn-once.js";
import { messageOf } from "../text/message-of.js";
import {
	dimensionsOf,
	HEADER_BYTES,
	joinedFile,
	type KeptVectors,
	readHeader,
	recordBytesOf,
	takeWanted,
	vectorFile,
} from "./vector-file.js";

const ENDING = ".vectors";
/** Small files of one embedder; beyond it they are made few. */
const MANY_FILES = 32;
/** What a joined file holds of the most that all may hold: what is oldest gives way file by file, and not everything at once. */
const JOINED_SHARE = 1 / 8;
const SMALL_SHARE = JOINED_SHARE / 2;
/** Read at once: other work has its turn between two pieces. */
const PIECE_BYTES = 2 ** 20;
const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;

/**
 * Vectors in the files of one directory. Files are only added and removed, never changed, so that several processes can share it. Nothing here rejects: what
 * cannot be read or written is told in a process warning, once.
 */
export class VectorStore {
	readonly #directory: string;
	readonly #maxBytes: number;

	constructor(directory: string, maxBytes: number) {
		this.#directory = directory;
		this.#maxBytes = maxBytes;
	}

	/** Those of the wanted texts that are there, each of length 1, `undefined` for one without meaning. */
	async read(embedderId: string, wanted: ReadonlySet<string>): Promise<KeptVectors> {
		const found = new Map<string, Float32Array | undefined>();
		for (const { name } of await this.#files(prefixOf(embedderId))) {
			if (found.size === wanted.size) break;
			await this.#take(name, embedderId, wanted, found);
		}
		return new Map([...found].map(([key, vector]) => [key, vector && toUnitLength(vector)]));
	}

	/** Adds vectors of one length. Those of another length that the embedder has here are of an earlier one with its id, or nobody's, and go. */
	async write(embedderId: string, vectors: KeptVectors): Promise<void> {
		const dimensions = dimensionsOf(vectors);
		if (dimensions === undefined) return;
		try {
			const bytes = vectorFile(embedderId, dimensions, vectors);
			if (bytes.length > this.#maxBytes) return;
			const prefix = prefixOf(embedderId, dimensions);
			await this.#add(prefix, bytes);
			const kept = await this.#makeRoom(prefixOf(embedderId), prefix);
			const small = kept.filter(({ name, size }) => name.startsWith(prefix) && size <= this.#maxBytes * SMALL_SHARE);
			if (small.length > MANY_FILES) await this.#join(embedderId, dimensions, small);
		} catch (error) {
			this.#warn(`could not be written (${messageOf(error)})`);
		}
	}

	async #add(prefix: string, bytes: Buffer): Promise<void> {
		await mkdir(this.#directory, { recursive: true, mode: 0o700 });
		const unique = `${Date.now().toString(36).padStart(9, "0")}-${randomBytes(8).toString("hex")}`;
		const unfinished = join(this.#directory, `${unique}.unfinished`);
		try {
			await writeFile(unfinished, bytes, { flag: "wx", mode: 0o600 });
			await rename(unfinished, join(this.#directory, `${prefix}${unique}${ENDING}`));
		} catch (error) {
			await rm(unfinished, { force: true });
			throw error;
		}
	}

	/** Few files in place of many small ones, the oldest first. What was joined is removed only once it is in its new place: adding throws otherwise. */
	async #join(embedderId: string, dimensions: number, files: readonly CacheFile[]): Promise<void> {
		for (const group of groupsOf(files.toReversed(), this.#maxBytes * JOINED_SHARE)) {
			const whole = new Map<string, Buffer>();
			for (const { name } of group) {
				const bytes = await this.#open(name, (file) => file.readFile());
				if (bytes !== undefined && readHeader(embedderId, bytes, bytes.length) === dimensions) whole.set(name, bytes);
			}
			if (whole.size < 2) continue;
			await this.#add(prefixOf(embedderId, dimensions), joinedFile(embedderId, dimensions, [...whole.values()]));
			for (const name of whole.keys()) await this.#remove(name);
		}
	}

	/** Removes files of the embedder that are not of this length, and the oldest of all beyond the most there may be. What is there then. */
	async #makeRoom(embedder: string, length: string): Promise<readonly CacheFile[]> {
		const kept: CacheFile[] = [];
		let bytes = 0;
		for (const file of await this.#files("")) {
			const isOfAnother = file.name.startsWith(embedder) && !file.name.startsWith(length);
			if (!isOfAnother) bytes += file.size;
			if (isOfAnother || bytes > this.#maxBytes) await this.#remove(file.name);
			else kept.push(file);
		}
		return kept;
	}

	#remove(name: string): Promise<void> {
		return rm(join(this.#directory, name), { force: true });
	}

	/** The newest first. */
	async #files(prefix: string): Promise<readonly CacheFile[]> {
		const names = await readdir(this.#directory).catch((error: NodeJS.ErrnoException) => {
			if (error.code !== "ENOENT") this.#warn(`could not be read (${error.message})`);
			return [];
		});
		const files = names.filter((name) => name.startsWith(prefix) && (name.endsWith(ENDING) || name.endsWith(".unfinished")));
		const known = await Promise.all(
			files.map(async (name) => {
				const found = await stat(join(this.#directory, name)).catch(() => undefined);
				return found?.isFile() ? { name, size: found.size, changedAt: found.mtimeMs } : undefined;
			}),
		);
		return known.filter((file) => file !== undefined).sort((one, other) => other.changedAt - one.changedAt);
	}

	/** What a file has of the wanted. It is read piece by piece, and nothing is kept of the others: a file may hold millions. */
	async #take(name: string, embedderId: string, wanted: ReadonlySet<string>, found: Map<string, Float32Array | undefined>): Promise<void> {
		await this.#open(name, async (file, size) => {
			const { buffer: header, bytesRead } = await file.read(Buffer.alloc(HEADER_BYTES), 0, HEADER_BYTES, 0);
			const dimensions = readHeader(embedderId, header.subarray(0, bytesRead), size);
			if (dimensions === undefined || !name.startsWith(prefixOf(embedderId, dimensions))) {
				this.#warn("has a file that is none of its own, which is passed over");
				return;
			}
			const recordBytes = recordBytesOf(dimensions);
			const piece = Buffer.alloc(Math.max(1, Math.floor(PIECE_BYTES / recordBytes)) * recordBytes);
			for (let at = HEADER_BYTES; at < size && found.size < wanted.size; at += piece.length) {
				const read = await file.read(piece, 0, Math.min(piece.length, size - at), at);
				takeWanted(piece.subarray(0, read.bytesRead - (read.bytesRead % recordBytes)), dimensions, wanted, found);
			}
		});
	}

	/** `undefined` for what is no file, too large or cannot be read. */
	async #open<T>(name: string, use: (file: FileHandle, size: number) => Promise<T>): Promise<T | undefined> {
		if (!name.endsWith(ENDING)) return undefined;
		try {
			await using file = await open(join(this.#directory, name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
			const facts = await file.stat();
			if (facts.isFile() && facts.size <= this.#maxBytes) return await use(file, facts.size);
			this.#warn("has a file that is none of its own, which is passed over");
		} catch (error) {
			// another process may have removed it meanwhile
			if ((error as NodeJS.ErrnoException).code !== "ENOENT") this.#warn(`has a file that cannot be read (${messageOf(error)})`);
		}
		return undefined;
	}

	#warn(problem: string): void {
		warnOnce(`embedding-cache ${this.#directory}`, `The cache of embeddings ${this.#directory} ${problem}.`, "ROBOT_LAB_EMBEDDING_CACHE");
	}
}

interface CacheFile {
	readonly name: string;
	readonly size: number;
	readonly changedAt: number;
}

/** In their order, so many together as hold no more than that. */
function groupsOf(files: readonly CacheFile[], maxBytes: number): readonly (readonly CacheFile[])[] {
	const groups: CacheFile[][] = [];
	let bytes = Number.POSITIVE_INFINITY;
	for (const file of files) {
		if (bytes + file.size > maxBytes) {
			groups.push([]);
			bytes = 0;
		}
		groups.at(-1)?.push(file);
		bytes += file.size;
	}
	return groups;
}

/** What the name of a file begins with. @param dimensions Absent: of vectors of any length. */
const prefixOf = (embedderId: string, dimensions?: number): string =>
	`${createHash("sha256").update(embedderId).digest("hex").slice(0, 16)}-${dimensions === undefined ? "" : `${dimensions}-`}`;
