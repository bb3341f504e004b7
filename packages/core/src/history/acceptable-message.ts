import type { LanguageModelV4Message } from "@ai-sdk/provider";
import { providerSafeName } from "../text/provider-safe-name.js";
import { wellFormed } from "../text/well-formed.js";
import type { AssistantPart, ToolResultPart, UserPart } from "./history.js";

type ToolPart = Extract<LanguageModelV4Message, { role: "tool" }>["content"][number];

/**
 * A message as every provider takes it, for one that is refused makes every run fail that comes after: without blank texts and halves of characters,
 * and with names of tools that providers allow. `undefined` where nothing is left of it. One that is so already is returned as it is.
 */
export function acceptableMessage<Message extends LanguageModelV4Message>(message: Message): Message | undefined;
export function acceptableMessage(message: LanguageModelV4Message): LanguageModelV4Message | undefined {
	switch (message.role) {
		case "system":
			return message;
		case "user":
			return withContent(message, acceptableParts(message.content, acceptableUserPart));
		case "assistant":
			return withContent(message, acceptableParts(message.content, acceptableAssistantPart));
		case "tool":
			return withContent(message, acceptableParts(message.content, acceptableToolPart));
	}
}

/** Whether a text says nothing. Providers refuse it as they refuse an empty one. */
export const isBlank = (text: string): boolean => !/\S/.test(text);

function withContent<Part, Message extends { readonly content: Part[] }>(message: Message, content: Part[]): Message | undefined {
	if (content === message.content) return message;
	return content.length === 0 ? undefined : { ...message, content };
}

/** The list itself where nothing in it changes: most do not. */
function acceptableParts<Part>(parts: Part[], acceptable: (part: Part) => Part | undefined): Part[] {
	const isSame = parts.every((part) => acceptable(part) === part);
	return isSame ? parts : parts.flatMap((part) => acceptable(part) ?? []);
}

function acceptableUserPart(part: UserPart): UserPart | undefined {
	if (part.type === "text") return acceptableText(part);
	const filename = part.filename === undefined ? undefined : wellFormed(part.filename);
	return filename === part.filename ? part : { ...part, ...(filename !== undefined && { filename }) };
}

function acceptableAssistantPart(part: AssistantPart): AssistantPart | undefined {
	switch (part.type) {
		case "text":
			return acceptableText(part);
		case "reasoning":
			return withText(part);
		case "tool-call":
			// a provider knows its own tools by its own names
			return part.providerExecuted ? part : withName(part);
		default:
			return part;
	}
}

function acceptableToolPart(part: ToolPart): ToolPart {
	return part.type === "tool-result" ? withOutput(withName(part)) : part;
}

const acceptableText = <Part extends { readonly text: string }>(part: Part): Part | undefined =>
	isBlank(part.text) ? undefined : withText(part);

function withText<Part extends { readonly text: string }>(part: Part): Part {
	const text = wellFormed(part.text);
	return text === part.text ? part : { ...part, text };
}

function withName<Part extends { readonly toolName: string }>(part: Part): Part {
	const toolName = providerSafeName(part.toolName);
	return toolName === part.toolName ? part : { ...part, toolName };
}

function withOutput(part: ToolResultPart): ToolResultPart {
	const { output } = part;
	if (output.type !== "text" && output.type !== "error-text") return part;
	const value = wellFormed(output.value);
	return value === output.value ? part : { ...part, output: { ...output, value } };
}
