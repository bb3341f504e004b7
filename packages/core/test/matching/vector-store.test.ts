import { link, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type KeptVectors, vectorFile } from "../../src/matching/vector-file.js";
import { VectorStore } from "../../src/matching/vector-store.js";

const key = (index: number): string => index.toString(16).padStart(32, "0");
const vectorsOf = (...indexes: number[]): KeptVectors => new Map(indexes.map((index) => [key(index), Float32Array.of(0.6, 0.8)]));
const wanted = (...indexes: number[]): ReadonlySet<string> => new Set(indexes.map(key));
const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
const storeIn = (directory: string, maxBytes = 2 ** 28): VectorStore => new VectorStore(directory, maxBytes);

let directory: string;
beforeEach(async () => {
	directory = await mkdtemp(join(tmpdir(), "vector-store-"));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

describe("VectorStore", () => {
	it("keeps vectors for the next process, for one embedder, where nobody else can read them", async () => {
		const below = join(directory, "new");
		const written = new Map([[key(1), Float32Array.of(0.6, 0.8)], [key(2), undefined]]); // biome-ignore format: one line
		await storeIn(below).write("one", written);
		const cache = storeIn(below);
		expect(await cache.read("one", wanted(1, 2, 3))).toEqual(written);
		expect(await cache.read("one", wanted(3))).toEqual(new Map());
		expect(await cache.read("other", wanted(1))).toEqual(new Map());
		const [name = ""] = await readdir(below);
		expect([(await stat(below)).mode & 0o777, (await stat(join(below, name))).mode & 0o777]).toEqual([0o700, 0o600]);
	});

	it("is not there as long as nothing is written", async () => {
		const cache = storeIn(join(directory, "none"));
		expect(await cache.read("one", wanted(1))).toEqual(new Map());
		expect(await readdir(directory)).toEqual([]);
	});

	it("loses nothing of several that write at once, and makes few files of many", async () => {
		const caches = [1, 2, 3].map(() => storeIn(directory));
		const indexes = Array.from({ length: 40 }, (_, index) => index);
		await Promise.all(caches.map(async (cache, offset) => {
			for (const index of indexes) await cache.write("one", vectorsOf(index * 3 + offset));
		})); // biome-ignore format: one line
		const all = Array.from({ length: 120 }, (_, index) => index);
		expect((await storeIn(directory).read("one", wanted(...all))).size).toBe(120);
		expect((await readdir(directory)).length).toBeLessThan(40);
	});

	it("holds no more than it may: the oldest gives way, a file that was never finished included", async () => {
		const size = vectorFile("one", 2, vectorsOf(1)).length;
		const cache = storeIn(directory, 2 * size);
		await writeFile(join(directory, "x.unfinished"), "");
		await utimes(join(directory, "x.unfinished"), 1, 1);
		for (const index of [1, 2, 3]) {
			await cache.write("one", vectorsOf(index));
			for (const name of await readdir(directory)) await utimes(join(directory, name), 10, 10 + index - (name.startsWith("x") ? 100 : 0));
		}
		expect((await cache.read("one", wanted(1, 2, 3))).size).toBe(2);
		expect(await cache.read("one", wanted(3))).toEqual(vectorsOf(3));
		await cache.write("one", vectorsOf(4, 5, 6, 7, 8));
		expect((await cache.read("one", wanted(4))).size).toBe(0);
	});

	it("passes over what is none of its own, without a vector of it, and without a wait", async () => {
		const cache = storeIn(directory);
		await cache.write("one", vectorsOf(1));
		const [name = ""] = await readdir(directory);
		const good = await readFile(join(directory, name));
		const prefix = name.split("-", 2).join("-");
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
		await writeFile(join(directory, name.replace("-2-", "-3-")), good);
		await symlink("/dev/zero", join(directory, `${prefix}-link.vectors`));
		const elsewhere = join(directory, "elsewhere");
		await storeIn(elsewhere).write("one", vectorsOf(2));
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
		const cache = storeIn(directory);
		await cache.write("one", new Map([[key(1), Float32Array.of(Number.NaN, 1)], [key(2), Float32Array.of(3e30, 4e30)], [key(3), Float32Array.of(0, 0)]])); // biome-ignore format: one line
		const read = await cache.read("one", wanted(1, 2, 3));
		expect([...read.keys()]).toEqual([key(2), key(3)]);
		expect([...(read.get(key(2)) ?? [])].map((value) => value.toFixed(3))).toEqual(["0.600", "0.800"]);
		expect(read.get(key(3))).toBeUndefined();
	});

	it.each([
		["files of one text", 1],
		["files of eight texts", 8],
	])("loses the oldest %s alone where all hold as much as they may", async (_, texts) => {
		const size = vectorFile("one", 2, vectorsOf(...upTo(texts))).length;
		const store = storeIn(directory, 33 * size);
		const written = upTo(50).map((index) => upTo(texts).map((text) => index * texts + text));
		for (const indexes of written) await store.write("one", vectorsOf(...indexes));
		const kept = (await store.read("one", wanted(...written.flat()))).size;
		expect(kept).toBeGreaterThanOrEqual(28 * texts);
		expect((await store.read("one", wanted(...(written.at(-1) ?? [])))).size).toBe(texts);
		let bytes = 0;
		for (const name of await readdir(directory)) bytes += (await stat(join(directory, name))).size;
		expect(bytes).toBeLessThanOrEqual(33 * size);
	});

	it("removes nothing that it did not write anew: where it cannot be written, all is there still", async () => {
		const store = storeIn(directory);
		for (const index of upTo(32)) await store.write("one", vectorsOf(index));
		const broken = (await readdir(directory))[0] ?? "";
		await writeFile(join(directory, broken), "broken");
		await store.write("one", vectorsOf(32));
		expect((await readdir(directory)).length).toBe(2);
		expect(await readdir(directory)).toContain(broken);
		expect((await store.read("one", wanted(...upTo(33)))).size).toBe(32);
	});

	it("keeps texts without meaning through a join, and what other embedders have", async () => {
		const store = storeIn(directory);
		await store.write("other", vectorsOf(7));
		for (const index of upTo(40)) await store.write("one", new Map([[key(index), Float32Array.of(1)], [key(100 + index), undefined]])); // biome-ignore format: one line
		const found = await store.read("one", wanted(...upTo(200)));
		expect([...found.values()].filter((vector) => vector === undefined).length).toBe(40);
		expect(found.size).toBe(80);
		expect(await store.read("other", wanted(7))).toEqual(vectorsOf(7));
	});

	it("drops vectors of another length as soon as the embedder has new ones", async () => {
		const store = storeIn(directory);
		await store.write("one", new Map([[key(1), Float32Array.of(1, 0, 0)], [key(2), Float32Array.of(1, 0, 0)]])); // biome-ignore format: one line
		await store.write("one", vectorsOf(1));
		expect(await store.read("one", wanted(1, 2))).toEqual(vectorsOf(1));
	});

	it("makes nothing of what is not wanted in a file of a million vectors", async () => {
		const file = vectorFile("one", 1, new Map(upTo(3).map((index) => [key(index), Float32Array.of(1)])));
		const store = storeIn(directory);
		await store.write("one", new Map([[key(0), Float32Array.of(1)]]));
		const [name = ""] = await readdir(directory);
		const many = Buffer.concat([file.subarray(0, 56), ...upTo(2 ** 18).map(() => file.subarray(56, 116)), file.subarray(56)]);
		many.writeUInt32LE(3 * (2 ** 18 + 1), 52);
		await writeFile(join(directory, name), many);
		const found = await store.read("one", wanted(2, 5));
		expect([...found.keys()]).toEqual([key(2)]);
	});
});

it("VectorStore reads vectors that lie in several pieces of a file", async () => {
	const long = upTo(9).map((index): [string, Float32Array] => [key(index), new Float32Array(40_000).fill(index + 1)]);
	await storeIn(directory).write("one", new Map(long));
	const read = await storeIn(directory).read("one", wanted(...upTo(9)));
	expect(read.size).toBe(9);
	expect([...read.values()].every((vector) => Math.abs((vector?.[39_999] ?? 0) - 1 / 200) < 1e-6)).toBe(true);
});
