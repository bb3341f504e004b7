import type { SkillDiagnostic } from "@robot-lab/core";
import { markdownTable } from "../markdown-table.js";
import type { CollectionFigures } from "./collection.js";

/** The figures of collections as tables of Markdown, one blank line between them. */
export function reportOf(collections: readonly CollectionFigures[]): string {
	const withScripts = collections.filter(({ usable }) => usable.withDirectory > 0);
	return [
		markdownTable(
			["collection", "commit", "of"],
			collections.map(({ name, snapshot }) => [name, snapshot?.commit ?? "no checkout", snapshot?.date ?? ""]),
		),
		figuresTable(BUNDLES, collections),
		diagnosticsTable(collections),
		figuresTable(USABLE, withScripts),
		figuresTable(SCRIPTS, withScripts),
		markdownTable(
			["interpreter", "scripts"],
			counted(collections.flatMap(({ scripts }) => scripts.flatMap(({ interpreter }) => interpreter ?? []))),
		),
	].join("\n");
}

type Columns = readonly (readonly [head: string, figure: (figures: CollectionFigures) => number])[];

const BUNDLES: Columns = [
	["SKILL.md files", ({ bundles }) => bundles],
	["found as bundles", ({ discovered }) => discovered],
	["loaded, lenient", ({ loaded }) => loaded.lenient],
	["loaded, strict", ({ loaded }) => loaded.strict],
	["neither loaded nor said why", ({ silent }) => silent.length],
];

const USABLE: Columns = [
	["bundles with scripts/", ({ usable }) => usable.withDirectory],
	["usable by the reference's rule", ({ usable }) => usable.reference],
	["usable", ({ usable }) => usable.executable],
	["without the bit", ({ usable }) => usable.any],
	["and nested", ({ usable }) => usable.nested],
	["tools read by another program", ({ usable }) => usable.misread.length],
];

const SCRIPTS: Columns = [
	["files in scripts/", ({ scripts }) => scripts.length],
	["scripts", ({ scripts }) => scripts.filter(({ kind }) => kind === "script").length],
	["tools", ({ tools }) => tools.executable],
	["tools without the bit", ({ tools }) => tools.any],
	["and nested", ({ tools }) => tools.nested],
	["inline metadata", ({ scripts }) => scripts.filter(({ hasInlineMetadata }) => hasInlineMetadata).length],
	["described by name only", ({ scripts }) => scripts.filter(({ isNameOnly }) => isNameOnly).length],
	["junk descriptions", ({ scripts }) => scripts.filter(({ junk }) => junk !== undefined).length],
];

/** A row for each collection, and their sums. */
function figuresTable(columns: Columns, collections: readonly CollectionFigures[]): string {
	const rows = collections.map((figures) => ({ name: figures.name, figures: columns.map(([, figure]) => figure(figures)) }));
	const totals = columns.map((_, column) => rows.reduce((sum, row) => sum + (row.figures[column] ?? 0), 0));
	return markdownTable(
		["collection", ...columns.map(([head]) => head)],
		[...rows, { name: "all", figures: totals }].map(({ name, figures }) => [name, ...figures.map(String)]),
	);
}

/** What a person has to look at: what did not load, junk, and scripts whose first line and extension disagree. */
export function leftOf(collections: readonly CollectionFigures[]): string {
	const lines = collections.flatMap(({ name, refused, scripts, usable }) => [
		...refused.map(({ reason }) => `not loaded: ${reason}`),
		...usable.misread.map((script) => `read by another program: ${name} ${script}`),
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
