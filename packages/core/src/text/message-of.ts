import { beginningOf } from "./well-formed.js";

const MAX_MESSAGE_CHARACTERS = 2_000;

/** An error, or an object with a message, as one bounded text for a model or a person: its message, never its stack or its other fields. */
export function messageOf(error: unknown): string {
	const message = typeof error === "string" ? error : (messageIn(error) ?? "");
	if (message === "") return "it failed without saying why";
	if (message.length <= MAX_MESSAGE_CHARACTERS) return message;
	const kept = beginningOf(message, MAX_MESSAGE_CHARACTERS);
	return `${kept}… (${message.length - kept.length} characters cut)`;
}

/** By shape: an error of another realm is no `Error`, and providers put plain objects into their streams. */
function messageIn(error: unknown): string | undefined {
	if (typeof error !== "object" || error === null) return undefined;
	try {
		const { message } = error as { readonly message?: unknown };
		return typeof message === "string" ? message : undefined;
	} catch {
		return undefined;
	}
}
