import { randomBytes } from "node:crypto";
import { isProviderSafeName } from "../text/provider-safe-name.js";

/**
 * Gives every call of a reply an id that no other call has: providers refuse a history in which two calls share one, and in a log an id
 * tells calls apart. An id that is taken, that not every provider accepts (1 to 64 letters, digits, `_` or `-`), or none at all gives way to a
 * new one, in the call and in the provider's own result of it.
 */
export class ReplyCallIds {
	readonly #taken: readonly Set<string>[];
	/** Ids of calls whose arguments have begun to come, by the provider's id. */
	readonly #begun = new Map<string, string>();
	/** Ids of the calls that the provider makes itself, by its own id, in their order. */
	readonly #answerable = new Map<string, string[]>();

	/** @param taken The ids of the calls before: of the robot's history, and of the log. The reply's are added to each. */
	constructor(...taken: readonly Set<string>[]) {
		this.#taken = taken;
	}

	/** The id of a call whose arguments begin to come. */
	begin(given: string): string {
		const id = this.#claim(given);
		this.#begun.set(given, id);
		return id;
	}

	/** The id of a call that came whole. */
	complete(given: string, providerExecuted: boolean): string {
		const id = this.#begun.get(given) ?? this.#claim(given);
		this.#begun.delete(given);
		if (providerExecuted) this.#answerable.set(given, [...(this.#answerable.get(given) ?? []), id]);
		return id;
	}

	/** The id of the call that a result of the provider answers. Results come in the order of the calls. One whose call stands in an earlier reply keeps its id. */
	answered(given: string): string {
		const ids = this.#answerable.get(given) ?? [];
		return (ids.length > 1 ? ids.shift() : ids[0]) ?? given;
	}

	#claim(given: unknown): string {
		const isFree = typeof given === "string" && isProviderSafeName(given) && !this.#taken.some((ids) => ids.has(given));
		const id = isFree ? given : `call_${randomBytes(12).toString("hex")}`;
		for (const ids of this.#taken) ids.add(id);
		return id;
	}
}
