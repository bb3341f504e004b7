import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { bestRows } from "../../src/embedding/best-rows.js";
import { NumberSpace } from "../../src/embedding/number-space.js";
import { toUnitLength } from "../../src/embedding/unit-vector.js";
import { VectorSet } from "../../src/embedding/vector-set.js";
import { DenseVectors, SparseVectors, type VectorTable, vectorTableFor } from "../../src/embedding/vector-table.js";

const plainScores = (rows: readonly Float32Array[], query: Float32Array): number[] =>
	rows.map((row) => row.reduce((sum, value, place) => sum + value * (query[place] ?? 0), 0));

/** Reproducible numbers between -1 and 1. */
function noise(seed: number): () => number {
	let state = seed;
	return () => {
		state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
		return state / 2 ** 31 - 1;
	};
}

function randomRows(count: number, dimensions: number): Float32Array[] {
	const next = noise(count * 31 + dimensions);
	return Array.from({ length: count }, () => Float32Array.from({ length: dimensions }, next));
}

const filled = <Table extends VectorTable>(table: Table, rows: readonly Float32Array[]): Table => {
	for (const row of rows) table.add(row);
	return table;
};

/** More than are computed with at once. */
const MANY = 1_100;
/** Numbers for which the kernel's memory is asked for. */
const LARGE = 140_000;

it.each([1, 16_383, 16_384, 20_000])("NumberSpace grows by at least %i numbers, also where that is a part of a page", (more) => {
	const space = new NumberSpace(LARGE);
	const size = space.floats.length + more;
	space.grow(size);
	expect(space.isFast).toBe(true);
	expect(space.floats.length).toBeGreaterThanOrEqual(size);
});

describe("DenseVectors and SparseVectors", () => {
	it.each([1, 7, 8, 9, 127, 130, 868])("give the dot products of %i dimensions, with and without the kernel", (dimensions) => {
		const rows = randomRows(MANY, dimensions);
		const [query = new Float32Array()] = randomRows(1, dimensions);
		const expected = plainScores(rows, query);
		const fast = filled(new DenseVectors(dimensions, LARGE / dimensions), rows);
		const slow = filled(new DenseVectors(dimensions, 0, null), rows);
		expect([fast.isFast, slow.isFast, fast.size]).toEqual([true, false, rows.length]);
		for (const table of [fast, slow, filled(new SparseVectors(dimensions), rows)]) {
			const worst = Math.max(...Array.from(table.scores(query), (score, row) => Math.abs(score - (expected[row] as number))));
			expect(worst).toBeLessThan(1e-3);
			expect(table.read(5)).toEqual(rows[5]);
		}
	});

	it("agree with each other on any numbers, NaN and those without end included", () => {
		const number = fc.oneof(fc.float({ noNaN: false }), fc.constantFrom(0, -0, Number.NaN, Number.POSITIVE_INFINITY, 1e-40));
		const vectors = fc.integer({ min: 1, max: 20 }).chain((dimensions) => {
			const vector = fc.array(number, { minLength: dimensions, maxLength: dimensions }).map((values) => Float32Array.from(values));
			return fc.tuple(vector, fc.array(vector, { maxLength: 5 }));
		});
		const kindOf = (score: number): unknown => (Number.isFinite(score) ? "number" : "none");
		fc.assert(
			fc.property(vectors, ([query, rows]) => {
				const padded = (table: DenseVectors): DenseVectors => filled(table, rows);
				const fast = padded(new DenseVectors(query.length, LARGE / query.length)).scores(query);
				const slow = padded(new DenseVectors(query.length, 0, null)).scores(query);
				expect(Array.from(fast, kindOf)).toEqual(Array.from(slow, kindOf));
				for (const [row, score] of fast.entries())
					if (Number.isFinite(score) && Math.abs(score) < 1e3) expect(slow[row]).toBeCloseTo(score, 1);
			}),
			{ numRuns: 60 },
		);
	});

	it("have nothing to score without rows, and refuse vectors of another length", () => {
		for (const table of [new DenseVectors(3), new SparseVectors(3)]) {
			expect(table.scores(new Float32Array(3))).toEqual(new Float32Array(0));
			expect(() => table.add(new Float32Array(4))).toThrow("a vector has 4 numbers, and those it is compared with have 3");
			expect(() => table.scores(new Float32Array(2))).toThrow(TypeError);
		}
	});

	it("compute in a loop where there is no WebAssembly, no SIMD or no memory", () => {
		const refuses = class {
			constructor() {
				throw new RangeError("no");
			}
		};
		for (const host of [{ Memory: refuses }, { Memory: class {}, Module: refuses }]) {
			const table = filled(new DenseVectors(2, 100_000, host), [Float32Array.of(3, 4)]);
			expect([table.isFast, [...table.scores(Float32Array.of(1, 2))]]).toEqual([false, [11]]);
		}
	});

	it("keep what they have when memory can grow no more", () => {
		const { Memory, Module, Instance } = Reflect.get(globalThis, "WebAssembly");
		const small = class extends Memory {
			constructor({ initial }: { initial: number }) {
				super({ initial, maximum: initial });
			}
		};
		const rows = randomRows(4_000, 64);
		const table = filled(new DenseVectors(64, 2_100, { Memory: small, Module, Instance }), rows.slice(0, 100));
		expect(table.isFast).toBe(true);
		filled(table, rows.slice(100));
		expect([table.size, table.read(0), table.read(3_999)]).toEqual([4_000, rows[0], rows[3_999]]);
	});

	it("are chosen by the share of what is not 0", () => {
		const mostly = Float32Array.from({ length: 8 }, (_, place) => (place < 2 ? 1 : 0));
		expect(vectorTableFor(mostly, 1)).toBeInstanceOf(DenseVectors);
		expect(vectorTableFor(mostly.fill(0, 1), 1)).toBeInstanceOf(SparseVectors);
	});
});

describe("bestRows()", () => {
	it("gives what sorting gives, whatever the scores and the limit", () => {
		const scores = fc.array(fc.oneof(fc.constantFrom(0, -1, 0.5, 1, Number.NaN), fc.float({ min: 0, max: 1, noNaN: true })));
		fc.assert(
			fc.property(scores, fc.integer({ min: 1, max: 20 }), (given, limit) => {
				const table = Float32Array.from(given);
				const sorted = [...table.keys()]
					.filter((row) => (table[row] as number) > 0)
					.sort((one, other) => (table[other] as number) - (table[one] as number) || one - other);
				expect(bestRows(table, limit)).toEqual(sorted.slice(0, limit));
			}),
		);
	});

	it("takes of equal scores beyond the limit those that the caller says come first", () => {
		const later = (one: number, other: number): boolean => one > other;
		expect(bestRows(Float32Array.of(0.5, 0.5, 0.5, 0.5), 2, later)).toEqual([3, 2]);
	});

	it("lets the caller say which of two equal scores comes first", () => {
		expect(bestRows(Float32Array.of(1, 1, 1, 2), 3, (row, other) => row > other)).toEqual([3, 2, 1]);
	});
});

describe("VectorSet", () => {
	it.each([1, 3])("has no more rows than twice its items, of which there are %i, and some, however often they change", (items) => {
		const sizes: number[] = [];
		const scores = vi.spyOn(DenseVectors.prototype, "scores").mockImplementation(function (this: DenseVectors) {
			sizes.push(this.size);
			return new Float32Array(this.size);
		});
		try {
			const set = new VectorSet<string>();
			for (let index = 0; index < 1_000; index += 1) {
				set.add(String(index % items), Float32Array.of(1, 0));
				set.nearest(Float32Array.of(1, 0), { limit: 1, minScore: 0 });
			}
		} finally {
			scores.mockRestore();
		}
		expect(Math.max(...sizes)).toBeLessThanOrEqual(64 + 2 * items);
	});

	it("finds what a list finds, whatever is added, added anew and deleted", () => {
		const step = fc.record({
			item: fc.nat(120),
			vector: fc.constantFrom([1, 0], [0, 1], [0.6, 0.8], [1, 0, 0], [0, 0.6, 0.8]),
			isDelete: fc.boolean(),
		});
		fc.assert(
			fc.property(fc.array(step, { maxLength: 400, size: "max" }), (steps) => {
				const set = new VectorSet<number>();
				const model = new Map<number, readonly number[]>();
				for (const { item, vector, isDelete } of steps) {
					set.delete(item);
					model.delete(item);
					if (isDelete) continue;
					set.add(item, Float32Array.from(vector));
					model.set(item, vector);
				}
				const expected = [...model]
					.filter(([, vector]) => vector.length === 2)
					.map(([item, [x = 0, y = 0]]) => ({ item, score: 0.6 * x + 0.8 * y }))
					.filter(({ score }) => score >= 0.7)
					.sort((one, other) => other.score - one.score);
				const found = set.nearest(Float32Array.of(0.6, 0.8), { limit: 200, minScore: 0.7 });
				expect(found.map(({ item }) => item)).toEqual(expected.map(({ item }) => item));
			}),
			{ numRuns: 50 },
		);
	});
});

describe("toUnitLength()", () => {
	it.each([[[3, 4]], [[3e200, 4e200]], [[3e-200, 4e-200]], [[3e-20, 4e-20]]])("keeps the direction of %j", (vector) => {
		expect([...(toUnitLength(vector) ?? [])].map((value) => value.toFixed(4))).toEqual(["0.6000", "0.8000"]);
	});

	it("has none for zeros", () => expect(toUnitLength([0, -0])).toBeUndefined());
});
