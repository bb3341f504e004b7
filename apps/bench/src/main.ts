import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import type { BenchmarkFigures } from "./benchmark.js";
import { benchmarks } from "./benchmarks/index.js";
import { measure } from "./measure.js";
import { formatMemory, measureMemory, memoryBenchmark } from "./memory/measure-memory.js";
import type { MemoryFigures } from "./memory/memory-figures.js";
import { formatTable } from "./table.js";

const NAMES = [...benchmarks.map(({ name }) => name), memoryBenchmark.name];

const USAGE = `Usage: bench [--json] [--rounds N] [NAME …]

Runs all benchmarks, or those named: ${NAMES.join(", ")}`;

const { values, positionals } = parseArgs({
	allowPositionals: true,
	options: { json: { type: "boolean", default: false }, rounds: { type: "string" }, help: { type: "boolean", default: false } },
});

process.exitCode = await main();

async function main(): Promise<number> {
	const unknown = positionals.filter((name) => !NAMES.includes(name));
	const rounds = values.rounds === undefined ? undefined : Number(values.rounds);
	const badRounds = rounds !== undefined && !(Number.isInteger(rounds) && rounds > 0);
	if (values.help || unknown.length > 0 || badRounds) {
		if (unknown.length > 0) console.error(`There is no benchmark named ${unknown.join(", ")}.`);
		if (badRounds) console.error(`--rounds must be a whole number above 0, not ${values.rounds}.`);
		console.error(USAGE);
		return values.help ? 0 : 2;
	}
	const isChosen = ({ name }: { readonly name: string }): boolean => positionals.length === 0 || positionals.includes(name);
	const figures: (BenchmarkFigures | MemoryFigures)[] = [];
	for (const benchmark of benchmarks.filter(isChosen)) {
		const result = await measure(benchmark, rounds);
		figures.push(result);
		if (!values.json) console.log(formatTable(result));
	}
	if (isChosen(memoryBenchmark)) {
		const result = await measureMemory();
		figures.push(result);
		if (!values.json) console.log(formatMemory(result));
	}
	if (values.json) console.log(JSON.stringify({ node: process.version, cpus: availableParallelism(), figures }, undefined, 2));
	return 0;
}
