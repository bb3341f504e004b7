import { createHash, randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { mkdir, open, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { toUnitLength } from "../embedding/unit-vector.js";
import { ConfigurationError } from "../errors/configuration-error.js";
import { warnOnce } from "../errors/warn-once.js";
import { checkCount } from "../options/check-numbers.js";
import { checkNames } from "../options/check-options.js";
import { expandPath } from "../paths/expand-path.js";
import { describeValue } from "../text/describe-value.js";
import { messageOf } from "../text/message-of.js";
import { type KeptVectors, readVectorFile, vectorFile } from "./vector-file.js";

export interface EmbeddingCacheOptions {
	/** Where the files lie, and nothing else; made where it is not there. `~` is expanded. */
	readonly directory: string;
	/** The most that all files together hold; the oldest give way. Default 256 MiB. */
	readonly maxBytes?: number | undefined;
}

const ENDING = ".vectors";
const DEFAULT_MAX_BYTES = 256 * 2 ** 20;
/** Files of one embedder; beyond it they are made one. */
const MANY_FILES = 32;
const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;

/**
 * Vectors of texts on disk, below the embedder's id and digests of the texts; the texts are not there. Files are only added and removed, never
 * changed, so that several processes can share a directory. What cannot be read, or is no such file, is passed over with a process warning, once, and so is a
 * directory that cannot be written. Whoever can write there can have a wrong skill matched, and nothing else.
 */
export class EmbeddingCache {
	readonly #directory: string;
	readonly #maxBytes: number;

	/** Throws ConfigurationError for options that are none. */
	constructor(options: EmbeddingCacheOptions) {
		const what = "new EmbeddingCache()";
		checkNames(what, options, ["directory", "maxBytes"]);
		const { directory, maxBytes = DEFAULT_MAX_BYTES } = options;
		if (typeof directory !== "string" || directory.trim() === "")
			throw new ConfigurationError(`${what}: directory must be a path, got ${describeValue(directory)}.`);
		checkCount(`${what}: maxBytes`, maxBytes, 1);
		this.#directory = expandPath(directory);
		this.#maxBytes = maxBytes;
	}

	/** Those of the wanted texts that are there, each of length 1, `undefined` for one without meaning. Never rejects. */
	async read(embedderId: string, wanted: ReadonlySet<string>): Promise<KeptVectors> {
		const found = new Map<string, Float32Array | undefined>();
		for (const { name } of await this.#files(prefixOf(embedderId))) {
			if (found.size === wanted.size) break;
			for (const [key, vector] of (await this.#readFile(name, embedderId)) ?? []) {
				if (wanted.has(key) && !found.has(key)) found.set(key, vector && toUnitLength(vector));
			}
		}
		return found;
	}

	/** Adds vectors of one length. Never rejects. */
	async write(embedderId: string, vectors: KeptVectors): Promise<void> {
		try {
			await this.#write(embedderId, vectors);
			const files = await this.#files(prefixOf(embedderId));
			if (files.length > MANY_FILES) await this.#join(embedderId, files);
			await this.#makeRoom();
		} catch (error) {
			this.#warn(`could not be written (${messageOf(error)})`);
		}
	}

	async #write(embedderId: string, vectors: KeptVectors): Promise<void> {
		const bytes = vectorFile(embedderId, vectors);
		if (bytes === undefined || bytes.length > this.#maxBytes) return;
		await mkdir(this.#directory, { recursive: true, mode: 0o700 });
		const unique = `${Date.now().toString(36).padStart(9, "0")}-${randomBytes(8).toString("hex")}`;
		const unfinished = join(this.#directory, `${unique}.unfinished`);
		try {
			await writeFile(unfinished, bytes, { flag: "wx", mode: 0o600 });
			await rename(unfinished, join(this.#directory, `${prefixOf(embedderId)}-${unique}${ENDING}`));
		} catch (error) {
			await rm(unfinished, { force: true });
			throw error;
		}
	}

	/** One file in place of many. Only what was read is removed: another process may be at the same. */
	async #join(embedderId: string, files: readonly CacheFile[]): Promise<void> {
		const joined = new Map<string, Float32Array | undefined>();
		const read: string[] = [];
		for (const { name } of files) {
			const vectors = await this.#readFile(name, embedderId);
			if (vectors === undefined) continue;
			for (const [key, vector] of vectors) if (!joined.has(key)) joined.set(key, vector);
			read.push(name);
		}
		await this.#write(embedderId, joined);
		for (const name of read) await rm(join(this.#directory, name), { force: true });
	}

	async #makeRoom(): Promise<void> {
		let bytes = 0;
		for (const { name, size } of await this.#files("")) {
			bytes += size;
			if (bytes > this.#maxBytes) await rm(join(this.#directory, name), { force: true });
		}
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

	async #readFile(name: string, embedderId: string): Promise<KeptVectors | undefined> {
		if (!name.endsWith(ENDING)) return undefined;
		try {
			await using file = await open(join(this.#directory, name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
			const facts = await file.stat();
			const vectors = facts.isFile() && facts.size <= this.#maxBytes ? readVectorFile(embedderId, await file.readFile()) : undefined;
			if (vectors === undefined) this.#warn("has a file that is none of its own, which is passed over");
			return vectors;
		} catch (error) {
			// another process may have removed it meanwhile
			if ((error as NodeJS.ErrnoException).code !== "ENOENT") this.#warn(`has a file that cannot be read (${messageOf(error)})`);
			return undefined;
		}
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

const prefixOf = (embedderId: string): string => createHash("sha256").update(embedderId).digest("hex").slice(0, 16);
