import { ConfigurationError } from "../errors/configuration-error.js";
import { checkNames, checkSignal, checkTimeout } from "../options/check-options.js";
import { describeValue } from "../text/describe-value.js";
import type { ChannelSchemas, ContentTo } from "./channel-content.js";
import type { Letter } from "./letter.js";

/** What is to be sent. */
export interface NewMessage<Channels extends ChannelSchemas, To extends string> {
	/** The name of whom it is for. All who have it get it. */
	readonly to: To;
	/** Plain data, or what the schema of the channel takes. A copy is sent. */
	readonly content: ContentTo<Channels, To>;
	/**
	 * Ends the waiting for room: it is then in no queue in which it was not yet. Where it comes to nothing with one that had room for it, that is a dead letter as far
	 * as it is one of the last 1,000 messages that were given up so.
	 */
	readonly signal?: AbortSignal | undefined;
}

/** What is to be sent as an answer. */
export interface NewReply<Channels extends ChannelSchemas, To extends string> extends NewMessage<Channels, To> {
	/** The `key` of the message that it answers. */
	readonly inReplyTo: string;
}

/** What is to be asked. */
export interface NewQuestion<Channels extends ChannelSchemas, To extends string> extends Omit<NewMessage<Channels, To>, "signal"> {
	/** Milliseconds until the answer must be there, at most 2147483647, the waiting for room included. They keep the process alive. Default: none. */
	readonly timeoutMs?: number | undefined;
	/** Ends the waiting: the promise rejects with its reason. */
	readonly signal?: AbortSignal | undefined;
}

const MESSAGE: ReadonlySet<string> = new Set(["to", "content", "signal"]);
const REPLY: ReadonlySet<string> = new Set([...MESSAGE, "inReplyTo"]);
const QUESTION: ReadonlySet<string> = new Set([...MESSAGE, "timeoutMs"]);

type Given = { readonly [Name in keyof Letter | "timeoutMs"]?: unknown };

/** What was given, read once. Throws ConfigurationError for what is no message. */
export const messageLetter = (given: object): Letter => letterOf("sendMessage()", given, MESSAGE);

/** The same for an answer. */
export function replyLetter(given: object): Letter {
	const what = "sendReply()";
	const letter = letterOf(what, given, REPLY);
	const { inReplyTo } = given as Given;
	if (typeof inReplyTo === "string" && inReplyTo !== "") return { ...letter, inReplyTo };
	throw new ConfigurationError(`${what} needs the key of the message that it answers as inReplyTo, got ${describeValue(inReplyTo)}.`);
}

/** The same for a question. */
export function questionLetter(given: object): Letter & { readonly timeoutMs: number | undefined } {
	const letter = letterOf("ask()", given, QUESTION);
	const timeoutMs = (given as Given).timeoutMs as number | undefined;
	checkTimeout(timeoutMs);
	return { ...letter, timeoutMs };
}

function letterOf(what: string, given: object, names: ReadonlySet<string>): Letter {
	if (typeof given !== "object" || given === null) checkNames(what, given, [...names]);
	// these two at once: to look them up costs more than all else of this
	for (const name in given) if (name !== "to" && name !== "content" && !names.has(name)) checkNames(what, given, [...names]);
	const { to, content, signal } = given as Given;
	if (typeof to !== "string" || to === "")
		throw new ConfigurationError(`${what} needs the name of whom it is for as to, got ${describeValue(to)}.`);
	checkSignal(what, signal);
	return { to, content, signal };
}
