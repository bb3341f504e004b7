import type { BenchmarkFigures } from "./benchmark.js";

/** The figures as lines of text, one table for one benchmark. */
export function formatTable({ name, question, baseline, cases }: BenchmarkFigures): string {
	const rows = cases.map(({ name, samples, medianMs, p90Ms, ratio }) => [
		name,
		medianMs.toFixed(2),
		p90Ms.toFixed(2),
		ratio.toFixed(2),
		String(samples),
	]);
	const lines = [["case", "median ms", "p90 ms", "ratio", "samples"], ...rows];
	const widths = lines[0]?.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0))) ?? [];
	const body = lines.map((line) => line.map((cell, column) => pad(cell, widths[column] ?? 0, column)).join("  "));
	return [`${name}: ${question} (ratios against "${baseline}")`, ...body, ""].join("\n");
}

function pad(cell: string, width: number, column: number): string {
	return column === 0 ? cell.padEnd(width) : cell.padStart(width);
}
