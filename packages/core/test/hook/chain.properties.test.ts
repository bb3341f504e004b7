import fc from "fast-check";
import { expect, it } from "vitest";
import type { Hook } from "../../src/hook/hook.js";
import type { ToolOutcome } from "../../src/tool/tool-outcome.js";
import { CALL, chainOf, outcome } from "./chain.js";

/** How a method behaves. A method that is absent is not there. */
type Step = "works" | "throws" | undefined;
type Nesting =
	| "passes"
	| "changes"
	| "answers"
	| "forgets"
	| "throws"
	| "throws late"
	| "mends"
	| "calls twice"
	| "answers with junk"
	| undefined;

interface Plan {
	readonly before: Step;
	readonly around: Nesting;
	readonly after: Step;
	readonly onError: Step;
	readonly isAsync: boolean;
}

const step = fc.option(fc.constantFrom<NonNullable<Step>[]>("works", "works", "works", "works", "works", "throws"), { nil: undefined });
const plan: fc.Arbitrary<Plan> = fc.record({
	before: step,
	around: fc.option(
		fc.constantFrom<NonNullable<Nesting>[]>(
			...(["passes", "passes", "passes", "passes", "changes", "changes", "mends", "mends"] as const),
			...(["answers", "forgets", "throws", "throws late", "calls twice", "answers with junk"] as const),
		),
		{ nil: undefined },
	),
	after: step,
	onError: step,
	isAsync: fc.boolean(),
});
const plans = fc.array(plan, { minLength: 1, maxLength: 6 });

/** What is thrown where: errors, and what is none. */
const thrownBy = (where: string, index: number): unknown => (index % 2 === 0 ? where : { where });

class Model {
	readonly trace: string[] = [];
	readonly thrown: Map<string, unknown> = new Map();
	readonly #plans: readonly Plan[];

	constructor(all: readonly Plan[]) {
		this.#plans = all;
	}

	/** What must happen, by the words of the page; `"error …"` where it fails. */
	result(bodyThrows: boolean): string {
		const end = this.#attempt(bodyThrows);
		if (isError(end))
			for (const [index, { onError }] of this.#plans.entries()) if (onError !== undefined) this.trace.push(`onError ${index}: ${end}`);
		return end;
	}

	#attempt(bodyThrows: boolean): string {
		for (const [index, { before }] of this.#plans.entries()) {
			if (before !== undefined) this.trace.push(`before ${index}`);
			if (before === "throws") return `error before ${index}`;
		}
		const result = this.#inside(0, bodyThrows);
		if (isError(result)) return result;
		for (const [index, { after }] of [...this.#plans.entries()].toReversed()) {
			if (after !== undefined) this.trace.push(`after ${index}: ${result}`);
			if (after === "throws") return `error after ${index}`;
		}
		return result;
	}

	#inside(index: number, bodyThrows: boolean): string {
		const current = this.#plans[index];
		if (current === undefined) {
			this.trace.push("body");
			return bodyThrows ? "error body" : "made";
		}
		if (current.around === undefined) return this.#inside(index + 1, bodyThrows);
		this.trace.push(`enter ${index}`);
		return this.#answer(index, current.around, bodyThrows);
	}

	#answer(index: number, around: NonNullable<Nesting>, bodyThrows: boolean): string {
		if (around === "answers") return `by ${index}`;
		if (around === "throws") return `error around ${index}`;
		if (around === "answers with junk") return "error configuration";
		const inner = this.#inside(index + 1, bodyThrows);
		if (around === "forgets") return `by ${index}`;
		if (around === "mends" && isError(inner)) return `by ${index}`;
		if (isError(inner)) return inner;
		if (around === "calls twice") return "error configuration";
		this.trace.push(`leave ${index}: ${inner}`);
		if (around === "throws late") return `error around ${index}`;
		return around === "changes" ? `${inner}+${index}` : inner;
	}
}

const isError = (end: string): boolean => end.startsWith("error ");

/** The same plans as hooks that write down what happens to them. */
function hooksOf(all: readonly Plan[], trace: string[], name: (error: unknown) => string): readonly Hook[] {
	return all.map(({ before, around, after, onError, isAsync }, index) => {
		const pause = async (): Promise<void> => {
			for (let turns = 0; turns < index; turns++) await Promise.resolve();
		};
		const perform = (step: Step, line: string, thrown: unknown): unknown => {
			trace.push(line);
			if (step === "throws" && !isAsync) throw thrown;
			return isAsync ? pause().then(() => (step === "throws" ? Promise.reject(thrown) : undefined)) : undefined;
		};
		const hook: Record<string, unknown> = { namespace: `hook ${index}`, beforeLearn: () => {} };
		if (before) hook.beforeToolCall = () => perform(before, `before ${index}`, thrownBy(`before ${index}`, index));
		if (after) {
			hook.afterToolCall = ({ result }: { result: ToolOutcome }) =>
				perform(after, `after ${index}: ${result.text}`, thrownBy(`after ${index}`, index));
		}
		if (onError) hook.onError = ({ error }: { error: unknown }) => perform(onError, `onError ${index}: ${name(error)}`, "not heard of");
		if (around) {
			hook.aroundToolCall = (_context: unknown, next: () => Promise<ToolOutcome>): unknown => {
				trace.push(`enter ${index}`);
				if (around === "answers") return outcome(`by ${index}`);
				if (around === "answers with junk") return isAsync ? pause() : undefined;
				if (around === "throws") throw thrownBy(`around ${index}`, index);
				if (around === "forgets") {
					void next();
					return outcome(`by ${index}`);
				}
				const leave = (result: ToolOutcome): ToolOutcome => {
					trace.push(`leave ${index}: ${result.text}`);
					return result;
				};
				if (around === "mends") return next().then(leave, () => outcome(`by ${index}`));
				return next().then(async (result) => {
					if (around === "calls twice") return next();
					await pause();
					leave(result);
					if (around === "throws late") throw thrownBy(`around ${index}`, index);
					return around === "changes" ? outcome(`${result.text}+${index}`) : result;
				});
			};
		}
		return hook as unknown as Hook;
	});
}

/** What was thrown, in the model's words. */
function nameOf(error: unknown): string {
	if (typeof error === "object" && error !== null && "code" in error) return "error configuration";
	return `error ${typeof error === "string" ? error : (error as { readonly where: string }).where}`;
}

process.removeAllListeners("warning");

it("Befores, arounds, afters and onErrors happen as the page says, whatever hooks do, and what was thrown comes out as it is", async () => {
	const ends = new Map<string, number>();
	await fc.assert(
		fc.asyncProperty(plans, fc.boolean(), async (all, bodyThrows) => {
			const model = new Model(all);
			const expected = model.result(bodyThrows);
			const trace: string[] = [];
			const told = new Set<unknown>();
			const hooks = hooksOf(all, trace, (error) => {
				told.add(error);
				return nameOf(error);
			});
			const work = chainOf(hooks).run("toolCall", CALL, async () => {
				trace.push("body");
				if (bodyThrows) throw "body";
				return outcome("made");
			});
			const end = await work.then(
				({ text }) => text,
				(error: unknown) => {
					for (const other of told) expect(other).toBe(error);
					return nameOf(error);
				},
			);
			expect({ end, trace }).toEqual({ end: expected, trace: model.trace });
			const kind = end.split(" ")[isError(end) ? 1 : 0] ?? "";
			ends.set(kind, (ends.get(kind) ?? 0) + 1);
		}),
		{ numRuns: 1_000 },
	);
	for (const kind of ["made", "by", "before", "around", "after", "body", "configuration"]) expect(ends.get(kind), kind).toBeGreaterThan(10);
});
