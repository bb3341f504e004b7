import { link, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Embedder } from "../../src/embedding/embedder.js";
import { EmbeddingCache } from "../../src/matching/embedding-cache.js";
import { SkillMatcher } from "../../src/matching/skill-matcher.js";
import { type KeptVectors, readVectorFile, vectorFile } from "../../src/matching/vector-file.js";
import { bareSkills } from "./skills-of.js";

const key = (index: number): string => index.toString(16).padStart(32, "0");
const vectorsOf = (...indexes: number[]): KeptVectors => new Map(indexes.map((index) => [key(index), Float32Array.of(0.6, 0.8)]));
const wanted = (...indexes: number[]): ReadonlySet<string> => new Set(indexes.map(key));

let directory: string;
beforeEach(async () => {
	directory = await mkdtemp(join(tmpdir(), "embedding-cache-"));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

describe("EmbeddingCache", () => {
	it("keeps vectors for the next process, for one embedder, where nobody else can read them", async () => {
		const below = join(directory, "new");
		const written = new Map([[key(1), Float32Array.of(0.6, 0.8)], [key(2), undefined]]); // biome-ignore format: one line
		await new EmbeddingCache({ directory: below }).write("one", written);
		const cache = new EmbeddingCache({ directory: below });
		expect(await cache.read("one", wanted(1, 2, 3))).toEqual(written);
		expect(await cache.read("one", wanted(3))).toEqual(new Map());
		expect(await cache.read("other", wanted(1))).toEqual(new Map());
		const [name = ""] = await readdir(below);
		expect([(await stat(below)).mode & 0o777, (await stat(join(below, name))).mode & 0o777]).toEqual([0o700, 0o600]);
	});

	it("is not there as long as nothing is written", async () => {
		const cache = new EmbeddingCache({ directory: join(directory, "none") });
		expect(await cache.read("one", wanted(1))).toEqual(new Map());
		expect(await readdir(directory)).toEqual([]);
	});

	it("loses nothing of several that write at once, and makes few files of many", async () => {
		const caches = [1, 2, 3].map(() => new EmbeddingCache({ directory }));
		const indexes = Array.from({ length: 40 }, (_, index) => index);
		await Promise.all(caches.map(async (cache, offset) => {
			for (const index of indexes) await cache.write("one", vectorsOf(index * 3 + offset));
		})); // biome-ignore format: one line
		const all = Array.from({ length: 120 }, (_, index) => index);
		expect((await new EmbeddingCache({ directory }).read("one", wanted(...all))).size).toBe(120);
		expect((await readdir(directory)).length).toBeLessThan(40);
	});

	it("holds no more than it may: the oldest gives way, a file that was never finished included", async () => {
		const size = vectorFile("one", vectorsOf(1))?.length ?? 0;
		const cache = new EmbeddingCache({ directory, maxBytes: 2 * size });
		await writeFile(join(directory, "x.unfinished"), "");
		await utimes(join(directory, "x.unfinished"), 1, 1);
		for (const index of [1, 2, 3]) {
			await cache.write("one", vectorsOf(index));
			for (const name of await readdir(directory)) await utimes(join(directory, name), 10, 10 + index - (name.includes("x") ? 100 : 0));
		}
		expect((await cache.read("one", wanted(1, 2, 3))).size).toBe(2);
		expect(await cache.read("one", wanted(3))).toEqual(vectorsOf(3));
		await cache.write("one", vectorsOf(4, 5, 6, 7, 8));
		expect((await cache.read("one", wanted(4))).size).toBe(0);
	});

	it("passes over what is none of its own, without a vector of it, and without a wait", async () => {
		const cache = new EmbeddingCache({ directory });
		await cache.write("one", vectorsOf(1));
		const [name = ""] = await readdir(directory);
		const good = await readFile(join(directory, name));
		const [prefix] = name.split("-");
		const put = (suffix: string, bytes: Buffer): Promise<void> => writeFile(join(directory, `${prefix}-${suffix}.vectors`), bytes);
		const changed = (at: number, value: number): Buffer => {
			const bytes = Buffer.from(good);
			bytes.writeUInt32LE(value, at);
			return bytes;
		};
		await put("cut", good.subarray(0, good.length - 1));
		await put("longer", Buffer.concat([good, good]));
		await put("empty", Buffer.alloc(0));
		await put("magic", changed(0, 7));
		await put("embedder", changed(16, 7));
		await put("dimensions", changed(48, 0xffff_ffff));
		await put("none", changed(48, 0));
		await put("count", changed(52, 0xffff_ffff));
		await symlink("/dev/zero", join(directory, `${prefix}-link.vectors`));
		const elsewhere = join(directory, "elsewhere");
		await new EmbeddingCache({ directory: elsewhere }).write("one", vectorsOf(2));
		const [other = ""] = await readdir(elsewhere);
		await symlink(join(elsewhere, other), join(directory, `${prefix}-other.vectors`));
		await mkdir(join(directory, `${prefix}-folder.vectors`));
		await link(join(directory, name), join(directory, "not-by-its-name.vectors"));
		const warnings: string[] = [];
		const listen = ({ message }: Error): number => warnings.push(message);
		process.on("warning", listen);
		try {
			for (const _ of [1, 2]) expect(await cache.read("one", wanted(1, 2))).toEqual(vectorsOf(1));
			await new Promise(setImmediate);
		} finally {
			process.off("warning", listen);
		}
		expect(warnings).toEqual([expect.stringContaining(directory)]);
	});

	it("takes no number that is none from a file, and gives every vector the length 1", async () => {
		const cache = new EmbeddingCache({ directory });
		await cache.write("one", new Map([[key(1), Float32Array.of(Number.NaN, 1)], [key(2), Float32Array.of(3e30, 4e30)], [key(3), Float32Array.of(0, 0)]])); // biome-ignore format: one line
		const read = await cache.read("one", wanted(1, 2, 3));
		expect([...read.keys()]).toEqual([key(2), key(3)]);
		expect([...(read.get(key(2)) ?? [])].map((value) => value.toFixed(3))).toEqual(["0.600", "0.800"]);
		expect(read.get(key(3))).toBeUndefined();
	});

	it.each([{}, { directory: "" }, { directory: 7 }, { directory: "/tmp/x", maxBytes: 0 }, { directory: "/tmp/x", maxMb: 1 }])(
		"refuses %j",
		(options) => expect(() => new EmbeddingCache(options as never)).toThrow("new EmbeddingCache()"),
	);
});

describe("SkillMatcher with an EmbeddingCache", () => {
	const counting = (asked: string[], length = 3): Embedder => ({
		id: "counts",
		embed: async (texts) => {
			asked.push(...texts);
			return texts.map((text) => Array.from({ length }, (_, index) => text.length + index));
		},
	});

	it("embeds no skill again that is on disk, and writes no message there", async () => {
		const cache = new EmbeddingCache({ directory });
		const asked: string[] = [];
		const first = await new SkillMatcher({ skills: bareSkills(300), embedder: counting(asked), cache }).match("hello");
		expect(asked.length).toBe(301);
		asked.length = 0;
		const again = new SkillMatcher({ skills: bareSkills(301), embedder: counting(asked), cache: new EmbeddingCache({ directory }) });
		expect((await again.match("hello")).map(({ score }) => score)).toEqual(first.map(({ score }) => score));
		expect(asked).toEqual(expect.arrayContaining(["s300. does 300", "hello"]));
		expect(asked.length).toBe(2);
	});

	it("makes all anew where somebody put vectors of another length there", async () => {
		const skills = bareSkills(3);
		await new SkillMatcher({ skills, embedder: counting([], 2), cache: new EmbeddingCache({ directory }) }).match("hello");
		const matcher = new SkillMatcher({ skills, embedder: counting([]), cache: new EmbeddingCache({ directory }) });
		expect((await matcher.matchWithReasons("hello")).fallback?.reason).toBe("failed");
		expect((await matcher.matchWithReasons("hello")).fallback).toBeUndefined();
	});

	it("matches also where nothing can be written", async () => {
		const file = join(directory, "file");
		await writeFile(file, "");
		const matcher = new SkillMatcher({ skills: bareSkills(3), embedder: counting([]), cache: new EmbeddingCache({ directory: file }) });
		expect((await matcher.match("hello")).length).toBe(3);
	});
});

it("readVectorFile() gives what vectorFile() wrote, and nothing for no vector", () => {
	const bytes = vectorFile("one", vectorsOf(1, 2)) ?? Buffer.alloc(0);
	expect(readVectorFile("one", bytes)).toEqual(vectorsOf(1, 2));
	expect(vectorFile("one", new Map([[key(1), undefined]]))).toBeUndefined();
});
