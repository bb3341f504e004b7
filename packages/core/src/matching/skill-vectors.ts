import { createHash } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import type { Embedder } from "../embedding/embedder.js";
import { unitVectorsOf } from "../embedding/unit-vector.js";
import { type VectorTable, vectorTableFor } from "../embedding/vector-table.js";
import type { AgentSkill } from "../skill/agent-skill.js";
import { textsOf } from "./skill-texts.js";
import type { VectorStore } from "./vector-store.js";

/** Texts that are embedded at once. Between two batches others have their turn, since an embedder may compute in this thread. */
const BATCH = 256;
/** The row of a text without meaning. */
const NONE = -1;

interface SkillRows {
	readonly document: number;
	readonly examples: readonly number[];
}

/** The vectors of skills' texts by one embedder. Each text has one, however many skills have it; what is known of earlier ones is taken over. */
export class SkillVectors {
	readonly #embedder: Embedder;
	readonly #store: VectorStore | undefined;
	/** By the digest of each text. */
	readonly #texts: Map<string, string> = new Map();
	readonly #keys: readonly { readonly document: string; readonly examples: readonly string[] }[];
	readonly #rows: Map<string, number> = new Map();
	#table: VectorTable | undefined;
	#skills: readonly SkillRows[] | undefined;
	#preparing: Promise<void> | undefined;
	#earlier: SkillVectors | undefined;
	#stopping: AbortController = new AbortController();
	/** Whether vectors are taken that this embedder did not make now. */
	#trustsKept = true;

	constructor(skills: readonly AgentSkill[], embedder: Embedder, store: VectorStore | undefined) {
		this.#embedder = embedder;
		this.#store = store;
		this.#keys = skills.map((skill) => {
			const { document, examples } = textsOf(skill);
			return { document: this.#keyOf(document), examples: examples.map((example) => this.#keyOf(example)) };
		});
	}

	/** Vectors that the same embedder made for other skills are not made again. */
	takeOver(earlier: SkillVectors): void {
		this.#earlier = earlier.#rows.size === 0 && earlier.#earlier !== undefined ? earlier.#earlier : earlier;
	}

	/** Whether all vectors are there. */
	get isReady(): boolean {
		return this.#skills !== undefined;
	}

	/** Makes the vectors that are missing. Overlapping calls share the work. Rejects with what the embedder throws; what is there by then stays. */
	prepare(): Promise<void> {
		if (this.#preparing !== undefined) return this.#preparing;
		const preparing = this.#prepare(this.#stopping.signal).catch((error) => {
			if (this.#preparing === preparing) this.#preparing = undefined;
			throw error;
		});
		this.#preparing = preparing;
		return preparing;
	}

	/** Ends the making of vectors that goes on, and tells the embedder; what is there by then stays. */
	stop(): void {
		if (this.isReady) return;
		this.#stopping.abort();
		this.#stopping = new AbortController();
		this.#preparing = undefined;
	}

	/** Once they are prepared, for a query: kept vectors that are not as long as it are not of this embedder, and all are made anew, once. */
	prepareFor(query: Float32Array): Promise<void> {
		if (this.isReady && this.#startAgainUnless(query.length)) this.#preparing = undefined;
		return this.prepare();
	}

	/** The score of each skill, once they are prepared. Throws TypeError for a query that is not as long as the vectors. */
	scores(query: Float32Array): Float32Array {
		const similarities = this.#table?.scores(query) ?? new Float32Array(0);
		const at = (row: number): number => (row === NONE ? 0 : (similarities[row] as number));
		const scores = new Float32Array(this.#keys.length);
		for (const [skill, { document, examples }] of (this.#skills ?? []).entries()) {
			if (examples.length === 0) scores[skill] = at(document);
			else scores[skill] = 0.5 * at(document) + 0.5 * examples.reduce((best, row) => Math.max(best, at(row)), Number.NEGATIVE_INFINITY);
		}
		return scores;
	}

	async #prepare(signal: AbortSignal): Promise<void> {
		if (this.#trustsKept) await this.#takeWhatIsKept();
		const missing = [...this.#texts].filter(([key]) => !this.#rows.has(key));
		for (let start = 0; start < missing.length; start += BATCH) {
			if (start > 0) await setImmediate();
			signal.throwIfAborted();
			const batch = missing.slice(start, start + BATCH);
			const vectors = await unitVectorsOf(batch.map(([, text]) => text), this.#embedder, { signal }); // biome-ignore format: one line
			signal.throwIfAborted();
			const made = new Map(batch.map(([key], index) => [key, vectors[index]]));
			const isAnew = this.#startAgainUnless(vectors.find((vector) => vector !== undefined)?.length);
			for (const [key, vector] of made) this.#put(key, vector);
			await this.#store?.write(this.#embedder.id, made);
			if (isAnew) return this.#prepare(signal);
		}
		signal.throwIfAborted();
		this.#earlier = undefined;
		const rowOf = (key: string): number => this.#rows.get(key) ?? NONE;
		this.#skills = this.#keys.map(({ document, examples }) => ({
			document: rowOf(document),
			examples: examples.map(rowOf).filter((row) => row !== NONE),
		}));
	}

	/** Of the skills before these, and on disk. Anybody may have written there: what does not fit the first vector is left out, and no room is made for more. */
	async #takeWhatIsKept(): Promise<void> {
		const wanted = [...this.#texts.keys()].filter((key) => !this.#rows.has(key));
		for (const key of wanted) this.#takeFrom(this.#earlier, key);
		const absent = wanted.filter((key) => !this.#rows.has(key));
		const kept = absent.length === 0 ? undefined : await this.#store?.read(this.#embedder.id, new Set(absent));
		for (const [key, vector] of kept ?? [])
			if (vector === undefined || vector.length === (this.#table?.dimensions ?? vector.length)) this.#put(key, vector, kept?.size);
	}

	#takeFrom(earlier: SkillVectors | undefined, key: string): void {
		const row = earlier === undefined ? undefined : earlier.#rows.get(key);
		if (earlier !== undefined && row !== undefined) this.#put(key, row === NONE ? undefined : earlier.#table?.read(row));
	}

	#put(key: string, vector: Float32Array | undefined, rows: number = this.#texts.size): void {
		if (vector === undefined) {
			this.#rows.set(key, NONE);
			return;
		}
		this.#table ??= vectorTableFor(vector, rows);
		this.#rows.set(key, this.#table.add(vector));
	}

	/** Whether all vectors are made anew, which happens once: those that there are have another length, so that what was kept is not of this embedder. */
	#startAgainUnless(length: number | undefined): boolean {
		const dimensions = this.#table?.dimensions ?? length;
		if (length === undefined || length === dimensions || !this.#trustsKept) return false;
		this.#trustsKept = false;
		this.#table = undefined;
		this.#rows.clear();
		this.#skills = undefined;
		return true;
	}

	#keyOf(text: string): string {
		const key = digestOf(text);
		this.#texts.set(key, text);
		return key;
	}
}

/** 128 bits, so that nobody finds two texts with one. */
const digestOf = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 32);
