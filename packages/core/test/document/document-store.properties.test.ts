import fc from "fast-check";
import { expect, it } from "vitest";
import { DocumentStore } from "../../src/document/document-store.js";
import type { Embedder } from "../../src/embedding/embedder.js";

const KEYS = ["x", "y", "__proto__", ""] as const;

type Step =
	| {
			readonly kind: "set";
			readonly documents: readonly { readonly key: string; readonly text: string; readonly metadata: Record<string, unknown> }[];
	  }
	| { readonly kind: "settle"; readonly which: number; readonly fails: boolean }
	| { readonly kind: "delete"; readonly key: string }
	| { readonly kind: "clear" };

const document = fc.record({
	key: fc.constantFrom(...KEYS),
	text: fc.string({ unit: fc.constantFrom("a", "b", "c", "x"), maxLength: 6 }),
	metadata: fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 2 }).map((value) => JSON.parse(JSON.stringify(value))),
});
const steps: fc.Arbitrary<Step[]> = fc.array(
	fc.oneof<fc.MaybeWeightedArbitrary<Step>[]>(
		{
			weight: 6,
			arbitrary: fc.record({ kind: fc.constant("set" as const), documents: fc.array(document, { minLength: 1, maxLength: 3 }) }),
		},
		{ weight: 6, arbitrary: fc.record({ kind: fc.constant("settle" as const), which: fc.nat(10), fails: fc.boolean() }) },
		{ weight: 2, arbitrary: fc.record({ kind: fc.constant("delete" as const), key: fc.constantFrom(...KEYS) }) },
		{ weight: 1, arbitrary: fc.record({ kind: fc.constant("clear" as const) }) },
	),
	{ maxLength: 40, size: "max" },
);

const vectorOf = (text: string): number[] => [..."abc"].map((letter) => text.split(letter).length - 1);

function cosine(one: readonly number[], other: readonly number[]): number {
	const dot = (a: readonly number[], b: readonly number[]): number => a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);
	const lengths = Math.sqrt(dot(one, one) * dot(other, other));
	return lengths === 0 ? 0 : dot(one, other) / lengths;
}

/** Who was called when, and what became of it: what stands below a key follows from the list alone. */
interface Said {
	readonly documents: ReadonlyMap<string, { readonly key: string; readonly text: string; readonly metadata: unknown }> | "all" | string;
	/** Absent until it counts, and for what failed. */
	counts?: boolean;
}

/** The last of those that count says what is below a key. */
function expected(said: readonly Said[], key: string) {
	const last = said.findLast(
		({ counts, documents }) =>
			counts && (documents === "all" || documents === key || (typeof documents === "object" && documents.has(key))),
	);
	return typeof last?.documents === "object" ? last.documents.get(key) : undefined;
}

it("holds and finds what a list of the calls says, however long each embedding takes, and whichever fail", async () => {
	await fc.assert(
		fc.asyncProperty(steps, fc.constantFrom("a", "ab", "aabc", "c", ""), fc.integer({ min: 1, max: 5 }), async (taken, query, limit) => {
			const turns: { readonly said: Said; readonly turn: PromiseWithResolvers<void>; readonly done: Promise<unknown> }[] = [];
			const said: Said[] = [];
			let turn: PromiseWithResolvers<void> | undefined;
			const embedder: Embedder = {
				id: "steps",
				embed: async (texts) => {
					await turn?.promise;
					return texts.map(vectorOf);
				},
			};
			const store = new DocumentStore({ embedder });
			for (const step of taken) {
				if (step.kind === "set") {
					turn = Promise.withResolvers();
					const call: Said = { documents: new Map(step.documents.map((given) => [given.key, given])) };
					const [only] = step.documents;
					const done = step.documents.length === 1 && only ? store.set(only.key, only.text, only.metadata) : store.setAll(step.documents);
					turns.push({ said: call, turn, done: done.catch(() => {}) });
					said.push(call);
				} else if (step.kind === "settle") {
					const [settled] = turns.splice(step.which % Math.max(1, turns.length), 1);
					if (step.fails) settled?.turn.reject(new Error("no model"));
					else settled?.turn.resolve();
					await settled?.done;
					if (settled) settled.said.counts = !step.fails;
				} else if (step.kind === "delete") {
					expect(store.delete(step.key)).toBe(expected(said, step.key) !== undefined);
					said.push({ documents: step.key, counts: true });
				} else {
					store.clear();
					said.push({ documents: "all", counts: true });
				}
				for (const key of KEYS) expect(store.get(key)).toEqual(expected(said, key));
			}

			turn = undefined;
			const all = KEYS.flatMap((key) => expected(said, key) ?? []);
			expect([store.size, new Set(store.keys())]).toEqual([all.length, new Set(all.map(({ key }) => key))]);
			const scores = new Map(all.map(({ key, text }) => [key, cosine(vectorOf(query), vectorOf(text))]));
			const best = [...scores.values()].filter((score) => score > 0).sort((one, other) => other - one);
			const found = await store.search(query, { limit });
			expect(found.map(({ score }) => score)).toEqual(best.slice(0, limit).map((score) => expect.closeTo(score, 5)));
			for (const { score, ...match } of found) {
				expect(score).toBeCloseTo(scores.get(match.key) ?? -1, 5);
				expect(match).toEqual(store.get(match.key));
			}
			const read = await DocumentStore.fromJSON(JSON.stringify(store), { embedder });
			expect([read.toJSON(), await read.search(query, { limit })]).toEqual([store.toJSON(), found]);
		}),
		{ numRuns: 300 },
	);
});
