import type { SkillDiagnostic } from "@robot-lab/core";
import { markdownTable } from "../markdown-table.js";
import type { CollectionFigures } from "./collection.js";

/** The figures of collections as tables of Markdown. */
export function reportOf(collections: readonly CollectionFigures[]): string {
	return [
		markdownTable(
			["collection", "SKILL.md files", "found as bundles", "loaded, lenient", "loaded, strict", "neither loaded nor said why"],
			withTotals(collections, (figures) => [
				figures.bundles,
				figures.discovered,
				figures.loaded.lenient,
				figures.loaded.strict,
				figures.silent.length,
			]),
		),
		markdownTable(
			[
				"collection",
				"files in scripts/",
				"scripts",
				"tools",
				"tools without the bit",
				"and nested",
				"inline metadata",
				"described by name only",
				"junk descriptions",
			],
			withTotals(
				collections.filter(({ scripts }) => scripts.length > 0),
				({ scripts, tools }) => [
					scripts.length,
					scripts.filter(({ kind }) => kind === "script").length,
					tools.executable,
					tools.any,
					tools.nested,
					scripts.filter(({ hasInlineMetadata }) => hasInlineMetadata).length,
					scripts.filter(({ isNameOnly }) => isNameOnly).length,
					scripts.filter(({ junk }) => junk !== undefined).length,
				],
			),
		),
		markdownTable(
			["interpreter", "scripts"],
			counted(collections.flatMap(({ scripts }) => scripts.flatMap(({ interpreter }) => interpreter ?? []))),
		),
		diagnosticsTable(collections),
	].join("\n");
}

/** What a person has to look at: what did not load, junk, and scripts whose first line and extension disagree. */
export function leftOf(collections: readonly CollectionFigures[]): string {
	const lines = collections.flatMap(({ name, refused, scripts }) => [
		...refused.map(({ reason }) => `not loaded: ${reason}`),
		...scripts
			.filter(({ junk }) => junk !== undefined)
			.map(({ file, junk, description }) => `junk (${junk}): ${name} ${file}: ${description}`),
		...scripts
			.filter(({ disagrees }) => disagrees)
			.map(({ file, interpreter }) => `first line before extension: ${name} ${file}: ${interpreter}`),
	]);
	return lines.map((line) => `${line}\n`).join("");
}

function diagnosticsTable(collections: readonly CollectionFigures[]): string {
	const [lenient, strict] = (["lenient", "strict"] as const).map((mode) =>
		codesOf(collections.flatMap(({ diagnostics }) => diagnostics[mode])),
	);
	const codes = [...new Set([...(lenient?.keys() ?? []), ...(strict?.keys() ?? [])])].sort();
	return markdownTable(
		["diagnostic", "lenient", "strict"],
		codes.map((code) => [code, String(lenient?.get(code) ?? 0), String(strict?.get(code) ?? 0)]),
	);
}

function codesOf(diagnostics: readonly SkillDiagnostic[]): ReadonlyMap<string, number> {
	const counts = new Map<string, number>();
	for (const { code, severity } of diagnostics) {
		const key = `${code} (${severity})`;
		counts.set(key, (counts.get(key) ?? 0) + 1);
	}
	return counts;
}

function counted(words: readonly string[]): readonly (readonly string[])[] {
	const kinds = [...new Set(words)].map((word) => [word, words.filter((other) => other === word).length] as const);
	return kinds
		.sort(([one, ones], [other, others]) => others - ones || one.localeCompare(other))
		.map(([word, count]) => [word, String(count)]);
}

function withTotals(
	collections: readonly CollectionFigures[],
	figuresOf: (figures: CollectionFigures) => readonly number[],
): readonly (readonly string[])[] {
	const rows = collections.map((figures) => ({ name: figures.name, figures: figuresOf(figures) }));
	const totals = rows[0]?.figures.map((_, column) => rows.reduce((sum, row) => sum + (row.figures[column] ?? 0), 0)) ?? [];
	return [...rows, { name: "all", figures: totals }].map(({ name, figures }) => [name, ...figures.map(String)]);
}
