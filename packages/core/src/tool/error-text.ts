const MAX_MESSAGE_CHARACTERS = 2_000;

/** An error as one bounded text for a model or a person: its message, never its stack or its other fields. */
export function messageOf(error: unknown): string {
	const message = error instanceof Error ? error.message : typeof error === "string" ? error : "";
	if (message === "") return "it failed without saying why";
	if (message.length <= MAX_MESSAGE_CHARACTERS) return message;
	return `${message.slice(0, MAX_MESSAGE_CHARACTERS)}… (${message.length - MAX_MESSAGE_CHARACTERS} characters cut)`;
}
