import type { Benchmark, BenchmarkFigures, CaseFigures } from "./benchmark.js";

const DEFAULT_ROUNDS = 100;
const WARM_UP_SHARE = 0.1;

/**
 * Takes one sample of every case in turn, many times. A host that grows slower for a second slows all cases alike, so the ratios hold
 * where the milliseconds do not; running one case after the other, as benchmark libraries do, has no such property. The order is another
 * one each round: what a case leaves behind to be collected is not always paid for by the same other one.
 */
export async function measure(benchmark: Benchmark, rounds: number = benchmark.rounds ?? DEFAULT_ROUNDS): Promise<BenchmarkFigures> {
	const { cases, dispose } = await benchmark.prepare();
	const names = Object.keys(cases);
	const samples = new Map<string, number[]>(names.map((name) => [name, []]));
	const clock = benchmark.clock === "cpu" ? workedMs : () => performance.now();
	const warmUp = Math.ceil(rounds * WARM_UP_SHARE);
	try {
		for (let round = -warmUp; round < rounds; round += 1) {
			for (const name of shuffled(names)) {
				const took = await timed(clock, cases[name] ?? (async () => {}));
				if (round >= 0) samples.get(name)?.push(took);
			}
		}
	} finally {
		dispose?.();
	}
	const baseline = samples.get(benchmark.baseline) ?? [];
	const figures = names.map((name) => caseFigures(name, samples.get(name) ?? [], baseline, benchmark.unit?.perSample));
	const { unit } = benchmark;
	const question = benchmark.clock === "cpu" ? `${benchmark.question}, in CPU time` : benchmark.question;
	return { name: benchmark.name, question, baseline: benchmark.baseline, ...(unit && { unit: unit.name }), cases: figures };
}

async function timed(nowMs: () => number, work: () => Promise<void>): Promise<number> {
	const begunAt = nowMs();
	await work();
	return nowMs() - begunAt;
}

/** Of all threads, those that compile and collect included. */
function workedMs(): number {
	const { user, system } = process.cpuUsage();
	return (user + system) / 1_000;
}

function shuffled<T>(items: readonly T[]): T[] {
	return items
		.map((item) => ({ item, place: Math.random() }))
		.sort((one, other) => one.place - other.place)
		.map(({ item }) => item);
}

function caseFigures(name: string, samples: readonly number[], baseline: readonly number[], unitsPerSample?: number): CaseFigures {
	const medianMs = quantile(samples, 0.5);
	const figures = { name, samples: samples.length, medianMs, p90Ms: quantile(samples, 0.9), ratio: medianMs / quantile(baseline, 0.5) };
	if (unitsPerSample === undefined) return figures;
	const overMs = samples.map((took, round) => took - (baseline[round] ?? Number.NaN));
	return { ...figures, overUs: (quantile(overMs, 0.5) * 1000) / unitsPerSample };
}

function quantile(samples: readonly number[], share: number): number {
	const sorted = [...samples].sort((a, b) => a - b);
	return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
