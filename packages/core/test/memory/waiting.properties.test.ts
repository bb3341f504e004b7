import fc from "fast-check";
import { expect, it } from "vitest";
import { AwaitTimeoutError } from "../../src/errors/await-timeout-error.js";
import { Memory } from "../../src/memory/memory.js";
import { settled } from "../stream/publishing.js";
import { FakeClock } from "./fake-clock.js";

const KEYS = ["a", "b", "c"];

type Step =
	| { readonly kind: "set"; readonly key: string }
	| { readonly kind: "delete"; readonly key: string }
	| { readonly kind: "clear" | "reset" | "rest" }
	| { readonly kind: "merge"; readonly keys: readonly string[] }
	| { readonly kind: "wait"; readonly keys: readonly string[]; readonly timeoutMs: number | undefined; readonly signal: number | undefined }
	| { readonly kind: "abort"; readonly signal: number }
	| { readonly kind: "advance"; readonly durationMs: number };

const key = fc.constantFrom(...KEYS);
const optional = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(arbitrary, { nil: undefined });
const steps: fc.Arbitrary<Step[]> = fc.array(
	fc.oneof<fc.MaybeWeightedArbitrary<Step>[]>(
		{ weight: 4, arbitrary: fc.record({ kind: fc.constant("set" as const), key }) },
		{ weight: 3, arbitrary: fc.record({ kind: fc.constant("delete" as const), key }) },
		{ weight: 2, arbitrary: fc.record({ kind: fc.constantFrom("clear" as const, "reset" as const, "rest" as const) }) },
		{ weight: 1, arbitrary: fc.record({ kind: fc.constant("merge" as const), keys: fc.uniqueArray(key, { minLength: 1 }) }) },
		{
			weight: 6,
			arbitrary: fc.record({
				kind: fc.constant("wait" as const),
				keys: fc.array(key, { maxLength: 4 }),
				timeoutMs: optional(fc.integer({ min: 0, max: 8 })),
				signal: optional(fc.nat(2)),
			}),
		},
		{ weight: 1, arbitrary: fc.record({ kind: fc.constant("abort" as const), signal: fc.nat(2) }) },
		{ weight: 4, arbitrary: fc.record({ kind: fc.constant("advance" as const), durationMs: fc.integer({ min: 0, max: 5 }) }) },
	),
	{ maxLength: 60, size: "max" },
);

type Outcome =
	| { readonly values: object }
	| { readonly missing: readonly string[]; readonly timeoutMs: number }
	| { readonly reason: unknown };

/** A wait, what became of it, and what must. */
interface Waiting {
	readonly keys: readonly string[];
	readonly until: number;
	readonly timeoutMs: number | undefined;
	readonly signal: number | undefined;
	readonly outcomes: Outcome[];
	expected: Outcome | undefined;
}

/** What a memory and its waits are by the words alone: after every step, each wait is looked at anew. */
class Model {
	readonly values = new Map<string, unknown>();
	readonly waits: Waiting[] = [];
	readonly aborted = new Set<number>();
	now = 0;

	wait(keys: readonly string[], timeoutMs: number | undefined, signal: number | undefined): Waiting {
		const until = timeoutMs === undefined ? Number.POSITIVE_INFINITY : this.now + timeoutMs;
		const waiting: Waiting = { keys: [...new Set(keys)], until, timeoutMs, signal, outcomes: [], expected: undefined };
		if (signal !== undefined && this.aborted.has(signal)) waiting.expected = { reason: signal };
		this.waits.push(waiting);
		this.look();
		return waiting;
	}

	abort(signal: number): void {
		this.aborted.add(signal);
		for (const waiting of this.waits) if (waiting.signal === signal) waiting.expected ??= { reason: signal };
	}

	/** Who has all, has done; whose time is up, too. */
	look(): void {
		for (const waiting of this.waits) {
			if (waiting.expected !== undefined) continue;
			const missing = waiting.keys.filter((one) => !this.values.has(one));
			if (missing.length === 0) waiting.expected = { values: Object.fromEntries(waiting.keys.map((one) => [one, this.values.get(one)])) };
			else if (waiting.until <= this.now) waiting.expected = { missing, timeoutMs: waiting.timeoutMs ?? Number.NaN };
		}
	}

	get pending(): Waiting[] {
		return this.waits.filter(({ expected }) => expected === undefined);
	}
}

class Schedule {
	readonly model = new Model();
	readonly clock = new FakeClock();
	readonly memory = new Memory({ clock: this.clock });
	readonly #signals = KEYS.map(() => new AbortController());
	#values = 0;

	async do(step: Step): Promise<void> {
		switch (step.kind) {
			case "set":
				return this.#set(step.key);
			case "merge":
				return this.#merge(step.keys);
			case "delete":
				this.memory.delete(step.key);
				return void this.model.values.delete(step.key);
			case "clear":
			case "reset":
				this.memory[step.kind]();
				return this.model.values.clear();
			case "rest":
				return settled();
			case "wait":
				return this.#wait(step);
			case "abort":
				this.model.abort(step.signal);
				return this.#signals[step.signal]?.abort(step.signal);
			case "advance":
				this.model.now += step.durationMs;
				this.clock.advance(step.durationMs);
				return this.model.look();
		}
	}

	/** A value that was never there. */
	#next(): number {
		this.#values += 1;
		return this.#values;
	}

	#set(one: string): void {
		const value = this.#next();
		this.memory.set(one, value);
		this.model.values.set(one, value);
		this.model.look();
	}

	#merge(keys: readonly string[]): void {
		const values = keys.map((one) => [one, this.#next()] as const);
		this.memory.merge(Object.fromEntries(values));
		for (const [one, value] of values) {
			this.model.values.set(one, value);
			this.model.look();
		}
	}

	#wait({ keys, timeoutMs, signal }: Step & { kind: "wait" }): void {
		const waiting = this.model.wait(keys, timeoutMs, signal);
		const options = {
			...(timeoutMs !== undefined && { timeoutMs }),
			signal: signal === undefined ? undefined : this.#signals[signal]?.signal,
		};
		const note = (outcome: Outcome): unknown => waiting.outcomes.push(outcome);
		const failed = (error: unknown): unknown =>
			note(AwaitTimeoutError.isInstance(error) ? { missing: error.missing, timeoutMs: error.timeoutMs } : { reason: error });
		const [only] = keys;
		// one key alone gives its value, a list of one a record
		const one = keys.length === 1 && only !== undefined && timeoutMs !== 3 ? this.memory.waitFor(only, options).then((value) => ({ [only]: value })) : this.memory.waitFor(keys, options); // biome-ignore format: one line
		one.then((values) => note({ values }), failed);
	}
}

it("Each who waits is settled once, with what was there at the first moment at which all was, or by time or signal before, in any schedule", async () => {
	const seen = { values: 0, missing: 0, reason: 0, pending: 0 };
	await fc.assert(
		fc.asyncProperty(steps, async (all) => {
			const schedule = new Schedule();
			for (const step of all) await schedule.do(step);
			await settled();
			for (const { outcomes, expected } of schedule.model.waits) {
				expect(outcomes).toEqual(expected === undefined ? [] : [expected]);
				seen[expected === undefined ? "pending" : (Object.keys(expected)[0] as "values")] += 1;
			}
			// nothing is left behind for those who are settled
			expect(schedule.clock.pending).toBe(schedule.model.pending.filter(({ timeoutMs }) => timeoutMs !== undefined).length);
		}),
		{ numRuns: 1_000 },
	);
	expect(Math.min(...Object.values(seen))).toBeGreaterThan(100);
});
