import { acceptableMessage } from "../history/acceptable-message.js";
import type { AssistantPart, History } from "../history/history.js";

/**
 * A run's turn without what no provider takes back: a call it made itself and told no result of, a result that no call stands before, a second
 * result, a blank text, half a character. An answer that was nothing else is gone.
 */
export function settledTurn(given: History): History {
	const turn = given.flatMap((message) => acceptableMessage(message) ?? []);
	const settled = settledCalls(turn);
	if (settled === undefined) return turn;
	const unanswered = new Set<string>();
	const isKept = (part: AssistantPart): boolean => {
		if (part.type === "tool-result") return unanswered.delete(part.toolCallId);
		if (part.type !== "tool-call" || !part.providerExecuted) return true;
		if (settled.has(part.toolCallId)) unanswered.add(part.toolCallId);
		return settled.has(part.toolCallId);
	};
	return turn.flatMap((message): History => {
		if (message.role !== "assistant") return [message];
		const content = message.content.filter(isKept);
		return content.length === 0 ? [] : [{ ...message, content }];
	});
}

/** The calls of the provider that have a result behind them. Most turns have none of its calls and results: `undefined`. */
function settledCalls(turn: History): ReadonlySet<string> | undefined {
	const called = new Set<string>();
	const settled = new Set<string>();
	let isConcerned = false;
	for (const message of turn) {
		if (message.role !== "assistant") continue;
		for (const part of message.content) {
			const isResult = part.type === "tool-result";
			if (!isResult && (part.type !== "tool-call" || !part.providerExecuted)) continue;
			isConcerned = true;
			if (!isResult) called.add(part.toolCallId);
			else if (called.has(part.toolCallId)) settled.add(part.toolCallId);
		}
	}
	return isConcerned ? settled : undefined;
}
