import type { LanguageModelV4Message } from "@ai-sdk/provider";
import { FieldReader } from "../message/field-reader.js";
import type { Message, TextMessage, ToolCall, ToolCallMessage, ToolResultMessage } from "../message/message.js";
import { parseMessage } from "../message/parse-message.js";
import { describeValue, isRecord } from "../text/describe-value.js";
import { isProviderSafeName } from "../text/provider-safe-name.js";
import { wellFormed, wellFormedValue } from "../text/well-formed.js";
import { frozenCopy } from "../value/frozen-copy.js";
import { isBlank } from "./acceptable-message.js";
import type { AssistantPart, ToolResultPart } from "./history.js";

const read = new FieldReader("Cannot make a history of these messages");

/**
 * The history that messages tell of, as a model accepts it. Throws ConfigurationError that names the place where a message is none, the first
 * one is not from a user, one is from the system, a text is blank, a name or an id is none that every provider accepts, a call is not answered right after, two calls share an id, or a result
 * answers no call right before it. What was given may be changed afterwards.
 */
export function historyOf(messages: readonly Message[]): LanguageModelV4Message[] {
	const growing: Growing = { history: [], callIds: new Set(), open: new Map() };
	const parsed = read.list(messages, "messages", (value, field) => parseMessage(value, field, read));
	for (const [index, message] of parsed.entries()) add(message, `messages[${index}]`, growing);
	checkAnswered(growing);
	return growing.history;
}

interface Growing {
	readonly history: LanguageModelV4Message[];
	readonly callIds: Set<string>;
	/** Calls that have no result yet, and where they stand. */
	readonly open: Map<string, { readonly call: ToolCall; readonly field: string }>;
}

function add(message: Message, field: string, growing: Growing): void {
	if (message.type !== "tool_result") checkAnswered(growing);
	if (growing.history.length === 0 && message.role !== "user" && message.role !== "system") {
		throw read.refused(`${field} must be from a user: no model takes a history that begins in any other way.`);
	}
	if (message.type === "text") addText(message, field, growing);
	else if (message.type === "tool_call") addCalls(message, field, growing);
	else addResult(message, field, growing);
}

function addText({ role, content }: TextMessage, field: string, { history }: Growing): void {
	if (role === "system") {
		throw read.refused(`${field} is from the system. Leave it out, and give the robot its text as systemPrompt.`);
	}
	if (isBlank(content)) throw read.wrong(`${field}.content`, "a text that is not blank", content);
	history.push({ role, content: [{ type: "text", text: wellFormed(content) }] });
}

/** Of names and ids. */
const SAFE = '1 to 64 letters, digits, "_" or "-", as providers accept no other';

/** Calls belong to the same reply as the text right before them. */
function addCalls({ tools }: ToolCallMessage, field: string, growing: Growing): void {
	if (tools.length === 0) throw read.refused(`${field}.tools must hold at least one call.`);
	const calls = tools.map((call, index) => callPart(call, `${field}.tools[${index}]`, growing));
	const reply = growing.history.at(-1);
	if (reply?.role === "assistant") reply.content.push(...calls);
	else growing.history.push({ role: "assistant", content: calls });
}

function callPart(call: ToolCall, field: string, { callIds, open }: Growing): AssistantPart {
	const { id, name, args } = call;
	if (!isProviderSafeName(id)) throw read.wrong(`${field}.id`, SAFE, id);
	if (!isProviderSafeName(name)) throw read.wrong(`${field}.name`, SAFE, name);
	if (callIds.has(id)) throw read.refused(`${field}.id must be its own, ${describeValue(id)} is the id of a call before it.`);
	callIds.add(id);
	open.set(id, { call, field });
	const input = wellFormedValue(frozenCopy(args));
	// providers take an object here and refuse the whole history otherwise
	return { type: "tool-call", toolCallId: id, toolName: name, input: isRecord(input) ? input : { invalid: input } };
}

function addResult({ tool, content, isError }: ToolResultMessage, field: string, { history, open }: Growing): void {
	const answered = open.get(tool.id);
	if (answered === undefined) {
		throw read.refused(
			`${field} answers no call right before it that is still without a result: its tool.id is ${describeValue(tool.id)}.`,
		);
	}
	open.delete(tool.id);
	const part: ToolResultPart = {
		type: "tool-result",
		toolCallId: tool.id,
		toolName: answered.call.name,
		output: { type: isError ? "error-text" : "text", value: wellFormed(content) },
	};
	const results = history.at(-1);
	if (results?.role === "tool") results.content.push(part);
	else history.push({ role: "tool", content: [part] });
}

function checkAnswered({ open }: Growing): void {
	for (const { call, field } of open.values()) {
		throw read.refused(
			`${field} (${describeValue(call.name)}, id ${describeValue(call.id)}) has no result. Put a tool_result right after it, or leave the call out.`,
		);
	}
}
