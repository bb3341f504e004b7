import type { LanguageModelV4Message } from "@ai-sdk/provider";

type History = readonly LanguageModelV4Message[];

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

	/** Adds a run's turn. */
	append(turn: History): void {
		this.#history = [...this.#history, ...turn];
	}

	/** Puts another history in its place. */
	replace(history: History): void {
		this.#history = history;
		this.#callIds = new Set(callIdsIn(history));
	}

	/** Puts a shorter form in the place of what it was made of. What was added meanwhile stays; where it is another history by now, nothing changes. */
	shorten(from: History, to: History): void {
		if (from.length > this.#history.length || from.some((message, index) => message !== this.#history[index])) return;
		this.#history = [...to, ...this.#history.slice(from.length)];
	}
}

const callIdsIn = (history: History): string[] =>
	history.flatMap((message) =>
		message.role === "assistant" ? message.content.flatMap((part) => (part.type === "tool-call" ? [part.toolCallId] : [])) : [],
	);
