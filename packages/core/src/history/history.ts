import type { LanguageModelV4Message } from "@ai-sdk/provider";

/**
 * What a robot and its model said to each other, without the system prompt, oldest first: a user's message, the model's replies to it with the
 * results of their calls, the next user's message. A list is replaced, never changed.
 */
export type History = readonly LanguageModelV4Message[];

export type UserPart = Extract<LanguageModelV4Message, { role: "user" }>["content"][number];
export type AssistantPart = Extract<LanguageModelV4Message, { role: "assistant" }>["content"][number];
export type ToolResultPart = Extract<AssistantPart, { type: "tool-result" }>;
