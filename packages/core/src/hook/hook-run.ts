import { answerAround } from "./answer-around.js";
import { HookCall, sourceOf, type Told } from "./hook-call.js";
import type { HookSurroundings } from "./hook-context.js";
import type { HookFacts, HookFamily, HookResult } from "./hook-facts.js";
import { type HookMethod, METHODS_OF } from "./hook-methods.js";
import { freezeResult } from "./hook-values.js";
import type { RegisteredHook } from "./registered-hook.js";
import { untilLeftBehind } from "./until-left-behind.js";

/** A hook in a run, with what it keeps there. */
export interface Member {
	readonly registration: RegisteredHook;
	readonly local: Record<string, unknown>;
}

/** Something to be done with hooks around it. */
export interface HookedWork<Family extends HookFamily> {
	readonly family: Family;
	readonly facts: HookFacts[Family];
	/** Does it, with the facts as the hooks have set them by then. */
	readonly body: (facts: HookFacts[Family]) => Promise<HookResult<Family>>;
	/** Outermost first. */
	readonly members: readonly Member[];
	readonly surroundings: HookSurroundings;
}

/**
 * One thing that is done with hooks around it. First every before, in order; then the arounds, the first one outermost, the work inside them; then
 * every after, in reverse order, so that the outermost has the last word everywhere. A failure anywhere ends it: no after is told, every onError is.
 */
export class HookRun<Family extends HookFamily> {
	readonly #work: HookedWork<Family>;
	readonly #call: HookCall<Family>;

	constructor(work: HookedWork<Family>) {
		this.#work = work;
		this.#call = new HookCall(work.family, work.facts, work.surroundings);
	}

	async result(): Promise<HookResult<Family>> {
		const { family, members } = this.#work;
		const [before, , after] = METHODS_OF[family];
		try {
			for (const member of members) await this.#tell(member, before, (told) => this.#call.before(told));
			const result = await this.#inside(0);
			this.#call.result = result;
			for (const member of members.toReversed()) await this.#tell(member, after, (told) => this.#call.after(told));
			return this.#call.result;
		} catch (error) {
			for (const member of members) await this.#tellFailure(member, error);
			throw error;
		}
	}

	/** What the arounds from one on answer with, the work inside them. */
	async #inside(index: number): Promise<HookResult<Family>> {
		const { family, members, surroundings } = this.#work;
		const member = members[index];
		if (member === undefined) return this.#do();
		const inside = (): Promise<HookResult<Family>> => this.#inside(index + 1);
		const { told, call } = calling(member, METHODS_OF[family][1]);
		if (call === undefined) return inside();
		const what = sourceOf(told);
		return answerAround({
			what,
			call: (next) => call(this.#call.before(told), next),
			inside,
			read: (answer) => this.#call.readResult(answer, `${what}: what it answers with`),
			signal: surroundings.signal,
		});
	}

	async #do(): Promise<HookResult<Family>> {
		const { family, members, body } = this.#work;
		const { facts } = this.#call;
		if (family === "compaction") {
			for (const member of members) await this.#tell(member, "onCompaction", (told) => this.#call.before(told));
			const { compactedMessages } = facts as HookFacts["compaction"];
			if (compactedMessages !== undefined) return compactedMessages as HookResult<Family>;
		}
		const result = await body(facts);
		freezeResult(family, result);
		if (family === "learn") {
			this.#call.result = result;
			for (const member of members) await this.#tell(member, "onLearn", (told) => this.#call.after(told));
			return this.#call.result;
		}
		return result;
	}

	async #tell(member: Member, method: HookMethod, contextFor: (told: Told) => object): Promise<void> {
		const { told, call } = calling(member, method);
		if (call !== undefined) await untilLeftBehind(call(contextFor(told)), this.#work.surroundings.signal);
	}

	async #tellFailure(member: Member, error: unknown): Promise<void> {
		try {
			await this.#tell(member, "onError", (told) => this.#call.failed(told, error));
		} catch (failure) {
			member.registration.reportFailure(failure);
		}
	}
}

interface Calling {
	readonly told: Told;
	/** Absent where the hook has no such method, or is not called any more. */
	readonly call: ((...args: readonly unknown[]) => unknown) | undefined;
}

function calling({ registration: { hook, namespace, isActive }, local }: Member, method: HookMethod): Calling {
	const own = isActive ? hook[method] : undefined;
	return { told: { namespace, method, local }, call: own && ((...args) => Reflect.apply(own, hook, args)) };
}
