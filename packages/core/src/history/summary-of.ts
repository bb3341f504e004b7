import { ConfigurationError } from "../errors/configuration-error.js";
import type { Message } from "../message/message.js";
import { untilAborted } from "../process/until-aborted.js";
import { describeValue } from "../text/describe-value.js";
import { headAndTail } from "../text/head-and-tail.js";
import { shorten } from "../text/shorten.js";
import { wellFormed } from "../text/well-formed.js";
import { isBlank } from "./acceptable-message.js";
import type { Compression } from "./compression-options.js";
import { messagesOf } from "./messages-of.js";
import type { Turn } from "./turns.js";

const MAX_CHARACTERS = 100_000;
const MAX_QUESTION_CHARACTERS = 1_000;

/**
 * A turn in fewer words: the user's message, of a long one its beginning, and as the answer the summary. So the user's words stay the user's, and
 * what tools gave does not become the user's word by way of the summary. Empty where the summary is blank.
 */
export async function summaryOf(turn: Turn, { summarize, signal }: Compression): Promise<Turn> {
	signal?.throwIfAborted();
	const messages = messagesOf(turn);
	const text = headAndTail(messages.map(linesOf).join("\n\n"), MAX_CHARACTERS);
	const summary: unknown = await untilAborted(summarize(text, signal === undefined ? {} : { signal }), signal);
	if (typeof summary !== "string") {
		throw new ConfigurationError(`summarize must answer with text, got ${describeValue(summary)}. Blank text leaves the turn out.`);
	}
	if (isBlank(summary)) return [];
	return [
		{ role: "user", content: [{ type: "text", text: shorten(questionIn(messages), MAX_QUESTION_CHARACTERS) }] },
		{ role: "assistant", content: [{ type: "text", text: wellFormed(summary) }] },
	];
}

function linesOf(message: Message): string {
	if (message.type === "tool_result") return `Result of ${message.tool.name}: ${message.content}`;
	if (message.type === "text") return `${message.role === "user" ? "User" : "Assistant"}: ${message.content}`;
	return message.tools.map(({ name, args }) => `Assistant calls ${name}(${JSON.stringify(args)})`).join("\n");
}

function questionIn(messages: readonly Message[]): string {
	const question = messages.find(({ role }) => role === "user");
	return question?.type === "text" ? question.content : "";
}
