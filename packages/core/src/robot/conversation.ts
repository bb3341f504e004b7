import type { History } from "../history/history.js";
import { callIdsOf } from "../history/turns.js";
import { ReplyCallIds } from "../run/call-ids.js";
import { settledTurn } from "../run/settled-turn.js";

/** What a robot and its model said to each other. A list is replaced, never changed: a run that goes on keeps the one it began with. */
export class Conversation {
	#history: History = [];
	/** The lists that the present one grew out of by what was added alone, and itself. */
	#stages = new WeakSet<History>([this.#history]);
	/** The ids of all calls in it, and of those that runs will add: of the robot, not of a run, as runs that overlap end up in one history. */
	#callIds = new Set<string>();

	get history(): History {
		return this.#history;
	}

	get callIds(): Set<string> {
		return this.#callIds;
	}

	/**
	 * Adds a run's turn, as far as models accept it. Where another history was put in the place of the one it began with, it may bring an id that
	 * was given again since: that call gets another. A message that nobody answered leaves no trace.
	 */
	append(given: History): void {
		const turn = settledTurn(given);
		if (turn.length <= 1) return;
		this.#history = this.#joined(this.#history, turn);
		this.#stages.add(this.#history);
	}

	/** Puts another history in its place. */
	replace(history: History): void {
		this.#begin(history);
		this.#callIds = new Set(callIdsIn(history));
	}

	/**
	 * Puts a shorter form in the place of what it was made of, a `history` of before. What was added meanwhile stays; where it was emptied, replaced
	 * or made shorter since, nothing changes, which the answer says. The ids of its calls are taken in any case, as a run may begin with it.
	 */
	shorten(from: History, to: History): boolean {
		for (const id of callIdsIn(to)) this.#callIds.add(id);
		if (to === from || !this.#stages.has(from)) return false;
		this.#begin(this.#joined(to, this.#history.slice(from.length)));
		return true;
	}

	#begin(history: History): void {
		this.#history = history;
		this.#stages = new WeakSet([history]);
	}

	/** One history of two, in which no id is that of two calls: one of the later gives way. */
	#joined(before: History, added: History): History {
		const ids = callIdsIn(added);
		const taken = ids.length === 0 ? new Set<string>() : new Set(callIdsIn(before));
		for (const id of ids) this.#callIds.add(id);
		return [...before, ...(ids.some((id) => taken.has(id)) ? withOtherIds(added, taken, this.#callIds) : added)];
	}
}

const callIdsIn = (history: History): readonly string[] => history.flatMap(callIdsOf);

/** What was added, with ids of its own for the calls whose ids are taken. */
function withOtherIds(added: History, taken: ReadonlySet<string>, callIds: Set<string>): History {
	const ids = new ReplyCallIds(callIds);
	const others = new Map(callIdsIn(added).map((id) => [id, taken.has(id) ? ids.begin("") : id]));
	const renamed = <Part extends object>(part: Part): Part =>
		"toolCallId" in part ? { ...part, toolCallId: others.get(part.toolCallId as string) ?? part.toolCallId } : part;
	return added.map((message) => {
		if (message.role === "assistant") return { ...message, content: message.content.map(renamed) };
		return message.role === "tool" ? { ...message, content: message.content.map(renamed) } : message;
	});
}
