import { McpError } from "../errors/mcp-error.js";
import { blockText, fieldsOf } from "./result-text.js";
import { boundedText } from "./safe-text.js";

/** Something that a server has to read. */
export interface McpResource {
	readonly server: string;
	readonly uri: string;
	readonly name: string;
	readonly description?: string;
	readonly mimeType?: string;
}

/** What was read: text, or bytes. */
export interface McpContents {
	readonly uri: string;
	readonly mimeType?: string;
	readonly text?: string;
	readonly bytes?: Uint8Array;
}

/** A prompt that a server has written. */
export interface McpPrompt {
	readonly server: string;
	readonly name: string;
	readonly description?: string;
	readonly arguments: readonly { readonly name: string; readonly description?: string; readonly required: boolean }[];
}

/** A prompt with its arguments filled in. */
export interface McpPromptText {
	readonly description?: string;
	readonly messages: readonly { readonly role: "user" | "assistant"; readonly text: string }[];
}

const MAX_NAME = 200;
const MAX_DESCRIPTION = 4_000;

/** What a server lists, or nothing where it has no name to ask for it by. */
export function resourceOf(server: string, item: unknown): McpResource | undefined {
	const { uri, name, description, mimeType } = fieldsOf(item);
	if (typeof uri !== "string") return undefined;
	return { server, uri, name: boundedText(textOr(name, uri), MAX_NAME), ...described(description), ...typed(mimeType) };
}

export function promptOf(server: string, item: unknown): McpPrompt | undefined {
	const { name, description, arguments: listed } = fieldsOf(item);
	if (typeof name !== "string") return undefined;
	const fields = (Array.isArray(listed) ? listed : []).map(fieldsOf);
	return {
		server,
		name,
		...described(description),
		arguments: fields.flatMap((field) =>
			typeof field.name === "string" ? [{ name: field.name, ...described(field.description), required: field.required === true }] : [],
		),
	};
}

export function contentsOf(server: string, answer: unknown): readonly McpContents[] {
	const { contents } = fieldsOf(answer);
	if (!Array.isArray(contents))
		throw new McpError("unusable_answer", server, `The MCP server "${server}" gave a resource without contents.`);
	return contents.map(fieldsOf).map(({ uri, mimeType, text, blob }) => ({
		uri: textOr(uri, ""),
		...typed(mimeType),
		...(typeof text === "string" && { text }),
		...(typeof blob === "string" && { bytes: new Uint8Array(Buffer.from(blob, "base64")) }),
	}));
}

export function promptTextOf(server: string, answer: unknown): McpPromptText {
	const { description, messages } = fieldsOf(answer);
	if (!Array.isArray(messages)) throw new McpError("unusable_answer", server, `The MCP server "${server}" gave a prompt without messages.`);
	return {
		...described(description),
		messages: messages
			.map(fieldsOf)
			.map(({ role, content }) => ({ role: role === "assistant" ? ("assistant" as const) : ("user" as const), text: blockText(content) })),
	};
}

const textOr = (value: unknown, otherwise: string): string => (typeof value === "string" ? value : otherwise);

const described = (description: unknown): { readonly description?: string } =>
	typeof description === "string" ? { description: boundedText(description, MAX_DESCRIPTION) } : {};

const typed = (mimeType: unknown): { readonly mimeType?: string } =>
	typeof mimeType === "string" ? { mimeType: boundedText(mimeType, MAX_NAME) } : {};
