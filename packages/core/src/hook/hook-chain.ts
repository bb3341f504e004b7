import type { HookSurroundings } from "./hook-context.js";
import type { HookFacts, HookFamily, HookResult } from "./hook-facts.js";
import { METHODS_OF } from "./hook-methods.js";
import { HookRun, type Member } from "./hook-run.js";
import { globalHooks } from "./register-hook.js";
import type { RegisteredHook } from "./registered-hook.js";

/** Whose hooks are called in a run, besides those of the whole process: outermost first. */
export interface HookScopes {
	readonly network?: readonly RegisteredHook[] | undefined;
	readonly robot?: readonly RegisteredHook[] | undefined;
	readonly run?: readonly RegisteredHook[] | undefined;
}

/** The hooks of one run, in their order, with what each of them keeps for the run. */
export class HookChain {
	readonly #members: readonly Member[];
	readonly #surroundings: HookSurroundings;

	private constructor(hooks: readonly RegisteredHook[], surroundings: HookSurroundings) {
		// no prototype: what a model calls its tools must not be found there
		this.#members = hooks.map((registration) => ({ registration, local: Object.assign(Object.create(null), registration.context) }));
		this.#surroundings = surroundings;
	}

	/** The hooks that are there now: those of the process, then of the network, the robot and the run. `undefined` where there are none. */
	static of({ network = [], robot = [], run = [] }: HookScopes, surroundings: HookSurroundings): HookChain | undefined {
		const hooks = [...globalHooks(), ...network, ...robot, ...run];
		return hooks.length === 0 ? undefined : new HookChain(hooks, surroundings);
	}

	/** Whether anybody is to be told of a family, or of its failure. Where not, {@link run} does nothing but what is to be done. */
	has(family: HookFamily): boolean {
		const methods = [...METHODS_OF[family], "onError"] as const;
		return this.#members.some(({ registration: { hook } }) => methods.some((method) => hook[method] !== undefined));
	}

	/**
	 * Does something with the hooks around it. Rejects with what a hook or `body` failed with, as it is, once every `onError` was told of it.
	 *
	 * @param facts What the hooks are told of it.
	 * @param body What is done, with the facts as the hooks have set them by then. It has to come to an end once the signal is aborted: hooks that
	 * do not are left behind, and what they stand around goes on without them.
	 */
	async run<Family extends HookFamily>(
		family: Family,
		facts: HookFacts[Family],
		body: (facts: HookFacts[Family]) => Promise<HookResult<Family>>,
	): Promise<HookResult<Family>> {
		if (!this.has(family)) return body(facts);
		return new HookRun({ family, facts, body, members: this.#members, surroundings: this.#surroundings }).result();
	}
}
