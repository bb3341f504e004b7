import { fileURLToPath } from "node:url";
import { execa } from "execa";
import { columns } from "../table.js";
import { memoryCases } from "./memory-cases.js";
import type { MemoryCaseFigures, MemoryFigures, MemorySample } from "./memory-figures.js";

export const memoryBenchmark = {
	name: "memory",
	question: "what a run holds while it goes on, over what was there before",
};

/** Each case and size in a process of its own: what one has left behind is not counted as the next one's. */
export async function measureMemory(): Promise<MemoryFigures> {
	const cases: MemoryCaseFigures[] = [];
	for (const [name, { unit, sizes }] of Object.entries(memoryCases)) {
		const runs: MemoryCaseFigures["runs"][number][] = [];
		for (const size of sizes) runs.push({ size, ...(await sample(name, size)) });
		cases.push({ name, unit, runs });
	}
	return { ...memoryBenchmark, cases };
}

async function sample(name: string, size: number): Promise<MemorySample> {
	const child = fileURLToPath(new URL("./child.js", import.meta.url));
	const { stdout } = await execa(process.execPath, ["--expose-gc", child, name, String(size)]);
	return JSON.parse(stdout) as MemorySample;
}

/** The figures as lines of text. `extra`: the most that was held at once, without the text of the result. */
export function formatMemory({ name, question, cases }: MemoryFigures): string {
	const head = ["case", "size", "result MB", "peak held MB", "extra MB", "peak rss MB"];
	const rows = cases.flatMap((one) =>
		one.runs.map(({ size, resultBytes, peakHeldBytes, peakRssBytes }) => [
			one.name,
			`${size} ${one.unit}s`,
			...[resultBytes, peakHeldBytes, peakHeldBytes - resultBytes, peakRssBytes].map((bytes) => (bytes / 1e6).toFixed(2)),
		]),
	);
	return [`${name}: ${question}`, ...columns([head, ...rows]), ""].join("\n");
}
