import type { LanguageModelV4Message } from "@ai-sdk/provider";
import type { History } from "./history.js";

/** A user's message with everything up to the next user's message. It is kept or left out as a whole. */
export type Turn = readonly LanguageModelV4Message[];

/**
 * Takes a history apart, oldest turn first; put together again in their order, any of the turns are a history that a model accepts. Calls and their
 * results are never parted: where a provider answered a call of its own only in a later turn, the turns between are one.
 */
export function turnsOf(history: History): readonly Turn[] {
	const answeredAt = lastResults(history);
	const turns: LanguageModelV4Message[][] = [];
	let openUntil = -1;
	for (const [index, message] of history.entries()) {
		const turn = turns.at(-1);
		if (turn !== undefined && (message.role !== "user" || index < openUntil)) turn.push(message);
		else turns.push([message]);
		for (const id of callIdsOf(message)) openUntil = Math.max(openUntil, answeredAt.get(id) ?? -1);
	}
	return turns;
}

/** The place of the message that holds the last result of a call, by the call's id. */
function lastResults(history: History): ReadonlyMap<string, number> {
	const places = new Map<string, number>();
	for (const [index, { role, content }] of history.entries()) {
		if (role !== "assistant" && role !== "tool") continue;
		for (const part of content) if (part.type === "tool-result") places.set(part.toolCallId, index);
	}
	return places;
}

/** The ids of the calls that a message asks for. */
export const callIdsOf = ({ role, content }: LanguageModelV4Message): readonly string[] =>
	role === "assistant" ? content.flatMap((part) => (part.type === "tool-call" ? [part.toolCallId] : [])) : [];
