import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readDataFile, readDataFileInto } from "../src/data/data-file.js";
import { loadedOnce } from "../src/data/loaded-once.js";
import { embedder } from "../src/index.js";

const root = new URL("../", import.meta.url);
const { files }: { readonly files: Record<string, { readonly bytes: number; readonly sha256: string }> } = JSON.parse(
	readFileSync(new URL("data/manifest.json", root), "utf8"),
);

describe("the data", () => {
	it("are what the manifest says, and nothing else", () => {
		expect(readdirSync(new URL("data/", root)).sort()).toEqual(["manifest.json", ...Object.keys(files)].sort());
		for (const [name, { bytes, sha256 }] of Object.entries(files)) {
			const content = readFileSync(new URL(`data/${name}`, root));
			expect([content.length, createHash("sha256").update(content).digest("hex")], name).toEqual([bytes, sha256]);
		}
	});

	// Vectors that somebody has kept are compared with new ones by their id: other data need another id.
	it("belong to the ids of the embedders", () => {
		const beginning = (name: string) => files[name]?.sha256.slice(0, 8);
		expect({ id: embedder({ part: "light" }).id, words: beginning("word-vectors.safetensors"), list: beginning("words.txt") }).toEqual({
			id: "embeddings-en/light-1",
			words: "cb310b34",
			list: "cf43afe7",
		});
		expect({ id: embedder().id, sentences: beginning("sentence-encoder.safetensors"), pieces: beginning("sentence-pieces.json") }).toEqual({
			id: "embeddings-en/hybrid-1",
			sentences: "f2c97093",
			pieces: "1ad860b9",
		});
	});

	it("are named in NOTICE with where they come from", () => {
		const notice = readFileSync(new URL("NOTICE", root), "utf8");
		for (const name of ["sentence-encoder.safetensors", "sentence-pieces.json", "word-vectors.safetensors", "words.txt"])
			expect(notice).toContain(name);
	});

	it("are read with an error that says what to do where a file is missing", async () => {
		const failed = /data\/missing\.bin of @robot-lab\/embeddings-en failed: install the package again/;
		await expect(readDataFile("missing.bin")).rejects.toThrow(failed);
		await expect(readDataFileInto("missing.bin", () => new Uint8Array())).rejects.toThrow(failed);
	});
});

describe("loadedOnce()", () => {
	it("loads once for all who ask, also while it loads", async () => {
		let loads = 0;
		const load = loadedOnce(async () => {
			loads += 1;
			return {};
		});
		const [one, other] = await Promise.all([load(), load()]);
		expect([one === other, (await load()) === one, loads]).toEqual([true, true, 1]);
	});

	it("tries again after a failure, which all who waited hear of", async () => {
		let loads = 0;
		const load = loadedOnce(async () => {
			loads += 1;
			if (loads === 1) throw new Error("no such file");
			return "loaded";
		});
		const settled = await Promise.allSettled([load(), load()]);
		expect(settled.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
		expect([await load(), loads]).toEqual(["loaded", 2]);
	});
});

describe("the light entry", () => {
	it("imports nothing of the sentence encoder, directly or through others", () => {
		const seen = new Set<string>();
		const visit = (url: URL): void => {
			if (seen.has(url.href)) return;
			seen.add(url.href);
			for (const [, path = ""] of readFileSync(url, "utf8").matchAll(/(?:from|import\() ?"(\.[^"]+)\.js"/g))
				visit(new URL(`${path}.ts`, url));
		};
		visit(new URL("src/light.ts", root));
		expect([...seen].filter((url) => /sentence|hybrid/.test(url))).toEqual([]);
		expect([...seen].some((url) => url.endsWith("word-vectors.ts"))).toBe(true);
		visit(new URL("src/index.ts", root));
		expect([...seen].filter((url) => /sentence-encoder/.test(url))).toHaveLength(1);
	});
});
