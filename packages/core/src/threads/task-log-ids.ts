import { ReplyCallIds } from "../run/call-ids.js";
import { isRecord } from "../text/describe-value.js";

type Facts = Readonly<Record<string, unknown>>;

/** Which ids of calls and parts in this log stand for those of another: an id tells calls apart, and in the other log it may be one that is taken here. */
export class LogIds {
	readonly #calls = new Map<unknown, string>();
	readonly #parts = new Map<unknown, string>();

	/** Gives a call its id. @param taken The ids of this log's calls, to which it is added. */
	claimCall(given: string | undefined, taken: Set<string>): void {
		if (given !== undefined) this.#calls.set(given, new ReplyCallIds(taken).begin(given));
	}

	partBegun(given: unknown, partId: string): void {
		this.#parts.set(given, partId);
	}

	/** The same facts, with the ids of this log where they name a call, or in requests to a person a part. */
	inThisLog(facts: Facts): Facts {
		const { toolCallId, parentToolCallId, toolCalls } = facts;
		if (toolCallId === undefined && parentToolCallId === undefined && toolCalls === undefined) return facts;
		return {
			...facts,
			...this.#named(facts, "toolCallId", this.#calls),
			...this.#named(facts, "parentToolCallId", this.#calls),
			...(Array.isArray(toolCalls) && { toolCalls: toolCalls.map((call) => this.#requested(call)) }),
		};
	}

	#requested(call: unknown): unknown {
		if (!isRecord(call)) return call;
		return { ...call, ...this.#named(call, "toolCallId", this.#calls), ...this.#named(call, "partId", this.#parts) };
	}

	#named(facts: Facts, name: string, ids: ReadonlyMap<unknown, string>): Facts {
		const id = ids.get(facts[name]);
		return id === undefined ? {} : { [name]: id };
	}
}
