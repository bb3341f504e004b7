import { frozenCopy } from "../value/frozen-copy.js";
import type { HookSurroundings } from "./hook-context.js";
import type { HookFacts, HookFamily, HookResult } from "./hook-facts.js";
import type { HookMethod } from "./hook-methods.js";
import { freezeLists, RESULTS, type ReadValue, SETTABLE } from "./hook-values.js";

/** Who is told, and by which method. */
export interface Told {
	readonly namespace: string;
	readonly method: HookMethod;
	readonly local: Record<string, unknown>;
}

/**
 * One thing that hooks stand around, as it is known at the moment: what hooks have set so far, and what it came to. Each method of each hook is
 * shown a context of its own: `local` differs, and what may be set. A name that is mistyped or cannot be set now is a TypeError.
 */
export class HookCall<Family extends HookFamily> {
	readonly family: Family;
	/** With what hooks have set. Nobody outside holds it. */
	readonly facts: HookFacts[Family];
	result: HookResult<Family> | undefined;
	readonly #surroundings: HookSurroundings;

	constructor(family: Family, facts: HookFacts[Family], surroundings: HookSurroundings) {
		this.family = family;
		this.facts = { ...facts };
		freezeLists(this.facts);
		this.#surroundings = surroundings;
	}

	/** A context for before something is done, and around it. */
	before(told: Told): object {
		const context = this.#known(told);
		for (const [name, read] of Object.entries<ReadValue>(SETTABLE[this.family])) {
			Object.defineProperty(context, name, {
				enumerable: true,
				get: () => shownValue(name, Reflect.get(this.facts, name)),
				set: (value: unknown) => {
					Reflect.set(this.facts, name, read(value, `${sourceOf(told)}: context.${name}`));
				},
			});
		}
		// what has a setter can still be set
		return Object.freeze(context);
	}

	/** A context for after it was done. */
	after(told: Told): object {
		const result = {
			enumerable: true,
			get: () => this.result,
			set: (value: unknown) => {
				if (value !== this.result) this.result = this.readResult(value, `${sourceOf(told)}: context.result`);
			},
		};
		return Object.freeze(Object.defineProperty(this.#shown(told), "result", result));
	}

	/** A context for when it failed. */
	failed(told: Told, error: unknown): object {
		return Object.freeze({ ...this.#shown(told), error });
	}

	/** What a hook gave as the result. Throws ConfigurationError where it is none. */
	readResult(value: unknown, what: string): HookResult<Family> {
		return RESULTS[this.family](value, what) as HookResult<Family>;
	}

	#shown(told: Told): object {
		const context = this.#known(told);
		for (const [name, value] of Object.entries(this.facts)) Reflect.set(context, name, shownValue(name, value));
		return context;
	}

	#known({ local }: Told): object {
		const { robotName, runId, signal, memory } = this.#surroundings;
		return { family: this.family, robotName, runId, signal, memory, local, ...this.facts };
	}
}

/** Whose method it was, as messages begin. */
export const sourceOf = ({ namespace, method }: Told): string => `${method} of the hook ${JSON.stringify(namespace)}`;

/** A call's arguments stand in the history, too: who changes something inside them would change that. */
const shownValue = (name: string, value: unknown): unknown => (name === "args" ? frozenCopy(value) : value);
