import type { History } from "../history/history.js";
import { callIdsOf } from "../history/turns.js";
import { ReplyCallIds } from "../run/call-ids.js";
import { settledTurn } from "../run/settled-turn.js";

/** What a robot and its model said to each other. A list is replaced, never changed: a run that goes on keeps the one it began with. */
export class Conversation {
	#history: History = [];
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
		const added = callIdsIn(turn);
		const taken = added.length === 0 ? new Set<string>() : new Set(callIdsIn(this.#history));
		const isFree = added.every((id) => !taken.has(id));
		this.#history = [...this.#history, ...(isFree ? turn : withOtherIds(turn, taken, this.#callIds))];
		for (const id of added) this.#callIds.add(id);
	}

	/** Puts another history in its place. */
	replace(history: History): void {
		this.#history = history;
		this.#callIds = new Set(callIdsIn(history));
	}

	/** Puts a shorter form in the place of what it was made of. What was added meanwhile stays; where it is another history by now, nothing changes, which the answer says. */
	shorten(from: History, to: History): boolean {
		if (from.length > this.#history.length || from.some((message, index) => message !== this.#history[index])) return false;
		this.#history = [...to, ...this.#history.slice(from.length)];
		return true;
	}
}

const callIdsIn = (history: History): readonly string[] => history.flatMap(callIdsOf);

/** The turn with ids of its own for the calls whose ids are taken. */
function withOtherIds(turn: History, taken: ReadonlySet<string>, callIds: Set<string>): History {
	const ids = new ReplyCallIds(callIds);
	const others = new Map(callIdsIn(turn).map((id) => [id, taken.has(id) ? ids.begin("") : id]));
	const renamed = <Part extends object>(part: Part): Part =>
		"toolCallId" in part ? { ...part, toolCallId: others.get(part.toolCallId as string) ?? part.toolCallId } : part;
	return turn.map((message) => {
		if (message.role === "assistant") return { ...message, content: message.content.map(renamed) };
		return message.role === "tool" ? { ...message, content: message.content.map(renamed) } : message;
	});
}
