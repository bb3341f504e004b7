import fc from "fast-check";
import { expect, it } from "vitest";
import { Memory } from "../../src/memory/memory.js";
import type { MemoryChange } from "../../src/memory/memory-change.js";
import type { Subscription } from "../../src/stream/subscription.js";

const KEYS = ["a", "ab", "b", "sessionId"] as const;
const PATTERNS = ["*", "a*", "?", "*b"] as const;
const WRITERS = [undefined, "one", "other"] as const;

/** What a listener does when it is told. */
type Manner = "listens" | "throws" | "rejects" | "leaves" | "sets" | "deletes" | "adds" | "removes";

type Step =
	| { readonly kind: "set" | "delete"; readonly key: number; readonly writer: number }
	| { readonly kind: "clear" | "reset"; readonly writer: number }
	| { readonly kind: "merge"; readonly keys: readonly number[]; readonly writer: number }
	| { readonly kind: "subscribe"; readonly keys: readonly number[] | number; readonly manner: Manner }
	| { readonly kind: "unsubscribe"; readonly which: number };

const writer = fc.nat(2);
const keys = fc.uniqueArray(fc.nat(3), { maxLength: 3 });
const manner = fc.constantFrom<Manner>("listens", "throws", "rejects", "leaves", "sets", "deletes", "adds", "removes");
const steps: fc.Arbitrary<Step[]> = fc.array(
	fc.oneof<fc.MaybeWeightedArbitrary<Step>[]>(
		{
			weight: 6,
			arbitrary: fc.record({ kind: fc.constantFrom("set" as const, "set" as const, "delete" as const), key: fc.nat(3), writer }),
		},
		{ weight: 1, arbitrary: fc.record({ kind: fc.constantFrom("clear" as const, "reset" as const), writer }) },
		{ weight: 2, arbitrary: fc.record({ kind: fc.constant("merge" as const), keys, writer }) },
		{ weight: 4, arbitrary: fc.record({ kind: fc.constant("subscribe" as const), keys: fc.oneof(keys, fc.nat(3)), manner }) },
		{ weight: 1, arbitrary: fc.record({ kind: fc.constant("unsubscribe" as const), which: fc.nat(20) }) },
	),
	{ maxLength: 60, size: "max" },
);

interface Listening {
	readonly isMeant: (key: string) => boolean;
	readonly heard: unknown[];
	readonly expected: unknown[];
	readonly subscription: Subscription;
	isGone: boolean;
}

const brief = ({ kind, key, value, previous, writer: name }: MemoryChange): string => JSON.stringify([kind, key, value, previous, name]);
const isLike: Readonly<Record<string, RegExp>> = { "*": /^.*$/, "a*": /^a.*$/, "?": /^.$/, "*b": /^.*b$/ };

/** A memory beside what it must be by the words: each change is written down by whoever made it, and told to whoever was there then. */
class Schedule {
	readonly memory = new Memory({ onListenerError: () => {} });
	readonly listenings: Listening[] = [];
	readonly #values = new Map<string, unknown>();
	#spare = 30;
	#count = 0;

	do(step: Step): void {
		const name = "writer" in step ? WRITERS[step.writer] : undefined;
		const handle = name === undefined ? this.memory : this.memory.as(name);
		const plain = [...this.#values.keys()].filter((key) => key !== "sessionId");
		switch (step.kind) {
			case "set":
			case "merge": {
				const wanted = "keys" in step ? step.keys : [step.key];
				const values = wanted.map((index) => [KEYS[index] as string, this.#next()] as const);
				for (const [key, value] of values) this.#owe(key, value, name);
				if (step.kind === "set") for (const [key, value] of values) handle.set(key, value);
				else handle.merge(Object.fromEntries(values));
				break;
			}
			case "delete": {
				const key = KEYS[step.key] as string;
				if (key === "sessionId") break;
				this.#owe(key, undefined, name);
				handle.delete(key);
				break;
			}
			case "clear":
				for (const key of plain) this.#owe(key, undefined, name);
				handle.clear();
				break;
			case "reset":
				for (const key of [...plain, "sessionId"]) this.#owe(key, undefined, name);
				handle.reset();
				break;
			case "subscribe":
				this.#subscribe(step.keys, step.manner);
				break;
			case "unsubscribe":
				this.#remove(this.listenings[step.which % this.listenings.length]);
		}
	}

	/** A value that was never there. */
	#next(): string {
		this.#count += 1;
		return `${this.#count}`;
	}

	/** Who is there when a change is made is to be told of it. */
	#owe(key: string, value: unknown, name: string | undefined): void {
		const previous = this.#values.get(key);
		if (value === undefined && previous === undefined) return;
		const kind = value === undefined ? "deleted" : previous === undefined ? "created" : "updated";
		if (value === undefined) this.#values.delete(key);
		else this.#values.set(key, value);
		const change = JSON.stringify([kind, key, value, previous, name]);
		for (const listening of this.listenings) if (!listening.isGone && listening.isMeant(key)) listening.expected.push(change);
	}

	#subscribe(wanted: readonly number[] | number, how: Manner): void {
		const heard: unknown[] = [];
		const told = (change: MemoryChange): unknown => {
			heard.push(brief(change));
			return this.#answer(how, listening, change);
		};
		const names = typeof wanted === "number" ? [] : wanted.map((index) => KEYS[index] as string);
		const pattern = typeof wanted === "number" ? (PATTERNS[wanted] as string) : "";
		const isMeant = (key: string): boolean =>
			typeof wanted === "number" ? key !== "sessionId" && (isLike[pattern] as RegExp).test(key) : names.includes(key);
		const subscription = typeof wanted === "number" ? this.memory.subscribePattern(pattern, told) : this.memory.subscribe(names, told);
		const listening: Listening = { isMeant, heard, expected: [], subscription, isGone: false };
		this.listenings.push(listening);
	}

	#answer(how: Manner, own: Listening, { key }: MemoryChange): unknown {
		if (how === "throws") throw new Error("broken");
		if (how === "rejects") return Promise.reject(new Error("broken"));
		if (how === "leaves") this.#remove(own);
		if (this.#spare === 0) return undefined;
		this.#spare -= 1;
		if (how === "sets") this.do({ kind: "set", key: (KEYS.indexOf(key as "a") + 1) % KEYS.length, writer: 1 });
		if (how === "deletes") this.do({ kind: "delete", key: KEYS.indexOf(key as "a"), writer: 2 });
		if (how === "adds") this.do({ kind: "subscribe", keys: 0, manner: "listens" });
		if (how === "removes") this.#remove(this.listenings[this.#spare % this.listenings.length]);
		return undefined;
	}

	/** What it was not told of yet, it never is. */
	#remove(listening: Listening | undefined): void {
		if (listening === undefined) return;
		listening.subscription.unsubscribe();
		if (!listening.isGone) listening.expected.length = listening.heard.length;
		listening.isGone = true;
	}
}

it("Each listener hears of every change of its keys that was made while it was there, in the order of the changes, whatever listeners do", () => {
	let heard = 0;
	fc.assert(
		fc.property(steps, (all) => {
			const schedule = new Schedule();
			for (const step of all) schedule.do(step);
			for (const listening of schedule.listenings) {
				expect(listening.heard).toEqual(listening.expected);
				heard += listening.heard.length;
			}
		}),
		{ numRuns: 1_000 },
	);
	expect(heard).toBeGreaterThan(10_000);
});
