import { parseArgs } from "node:util";
import { type CollectionFigures, measureCollection } from "./collection.js";
import { leftOf, reportOf } from "./report.js";

const USAGE = `Usage: node apps/bench/dist/compatibility/main.js [--json] FOLDER …

Loads every bundle in the folders, each a collection of skills that was checked out, and says what became of it as tables of Markdown.
What a person has to look at goes to stderr. Downloads nothing and runs no script. Exit 1: a bundle neither loaded nor said why, a
description is junk, or another program would read a tool than its first line or extension says.`;

const { values, positionals } = parseArgs({
	allowPositionals: true,
	options: { json: { type: "boolean", default: false }, help: { type: "boolean", default: false } },
});

process.exitCode = await main();

async function main(): Promise<number> {
	if (values.help || positionals.length === 0) {
		console.error(USAGE);
		return values.help ? 0 : 2;
	}
	const collections: CollectionFigures[] = [];
	for (const folder of positionals) collections.push(await measureCollection(folder));
	console.log(values.json ? JSON.stringify(collections, undefined, 2) : reportOf(collections));
	process.stderr.write(leftOf(collections));
	const isFine = collections.every(
		({ silent, scripts, usable }) => silent.length === 0 && usable.misread.length === 0 && scripts.every(({ junk }) => junk === undefined),
	);
	return isFine ? 0 : 1;
}
