import { type Embedder, lexicalEmbedder, SkillMatcher } from "@robot-lab/core";
import type { Benchmark } from "../benchmark.js";
import { manySkills, numbers, readyEmbedder } from "./many-skills.js";

const LOOP = "unrolled Float32Array loop";
const MESSAGE = "rota lupe dasti kobi nemu";
/** More vectors than these are not made for the loop: it goes over them several times. */
const LOOP_ROWS = 10_000;

/** One message among many skills, after its embedding: what a search adds to the products that it cannot do without. */
export const matchBenchmarks: readonly Benchmark[] = [
	matchBenchmark("match-10k", 10_000, 512, () => readyEmbedder(512)),
	matchBenchmark("match-100k", 100_000, 512, () => readyEmbedder(512)),
	matchBenchmark("match-lexical-10k", 10_000, 4_096, lexicalEmbedder),
	matchBenchmark("match-lexical-100k", 100_000, 4_096, lexicalEmbedder),
];

function matchBenchmark(name: string, skills: number, dimensions: number, embedder: () => Embedder): Benchmark {
	return {
		name,
		question: `one message among ${skills.toLocaleString("en")} skills, ${dimensions} dimensions, after its embedding`,
		rounds: 20,
		baseline: LOOP,
		prepare: async () => {
			const matcher = new SkillMatcher({ skills: manySkills(skills), embedder: embedder(), fallback: false });
			await matcher.match(MESSAGE);
			const loop = unrolledLoop(skills, dimensions);
			return { cases: { [LOOP]: async () => loop(), "SkillMatcher.match": async () => void (await matcher.match(MESSAGE)) } };
		},
	};
}

/** The best ten of so many dot products, in eight sums, as one would write it by hand. */
function unrolledLoop(rows: number, dimensions: number): () => void {
	const made = Math.min(rows, LOOP_ROWS);
	const next = numbers(rows);
	const vectors = Float32Array.from({ length: made * dimensions }, () => next() - 0.5);
	const query = Float32Array.from({ length: dimensions }, () => next() - 0.5);
	return () => {
		for (let done = 0; done < rows; done += made) bestTen(vectors, query);
	};
}

function bestTen(vectors: Float32Array, query: Float32Array): readonly (readonly [number, number])[] {
	const best: [number, number][] = [];
	for (let at = 0, row = 0; at < vectors.length; row += 1) {
		let [a, b, c, d, e, f, g, h] = [0, 0, 0, 0, 0, 0, 0, 0];
		for (let q = 0; q < query.length; q += 8, at += 8) {
			a += (vectors[at] as number) * (query[q] as number);
			b += (vectors[at + 1] as number) * (query[q + 1] as number);
			c += (vectors[at + 2] as number) * (query[q + 2] as number);
			d += (vectors[at + 3] as number) * (query[q + 3] as number);
			e += (vectors[at + 4] as number) * (query[q + 4] as number);
			f += (vectors[at + 5] as number) * (query[q + 5] as number);
			g += (vectors[at + 6] as number) * (query[q + 6] as number);
			h += (vectors[at + 7] as number) * (query[q + 7] as number);
		}
		const score = a + b + c + d + e + f + g + h;
		if (best.length === 10 && score <= (best[9]?.[0] ?? 0)) continue;
		best.push([score, row]);
		best.sort(([one], [other]) => other - one);
		best.length = Math.min(10, best.length);
	}
	return best;
}
