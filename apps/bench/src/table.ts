import type { BenchmarkFigures } from "./benchmark.js";

/** The figures as lines of text, one table for one benchmark. */
export function formatTable({ name, question, baseline, unit, cases }: BenchmarkFigures): string {
	const head = ["case", "median ms", "p90 ms", "ratio", "samples", ...(unit === undefined ? [] : [`over, µs/${unit}`])];
	const rows = cases.map(({ name, samples, medianMs, p90Ms, ratio, overUs }) => [
		name,
		medianMs.toFixed(2),
		p90Ms.toFixed(2),
		ratio.toFixed(2),
		String(samples),
		...(overUs === undefined ? [] : [overUs.toFixed(3)]),
	]);
	return [`${name}: ${question} (ratios against "${baseline}")`, ...columns([head, ...rows]), ""].join("\n");
}

/** Rows of cells as lines in which every column has one width; the first is set left, the others right. */
export function columns(rows: readonly (readonly string[])[]): string[] {
	const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
	return rows.map((row) => row.map((cell, column) => pad(cell, widths[column] ?? 0, column)).join("  "));
}

function pad(cell: string, width: number, column: number): string {
	return column === 0 ? cell.padEnd(width) : cell.padStart(width);
}
