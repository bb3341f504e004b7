import { OutputBuffer } from "../process/output-buffer.js";
import { seenText } from "../text/seen-text.js";
import { boundedText } from "./safe-text.js";

type Fields = Readonly<Record<string, unknown>>;

/** Room for the notice of a cut, which comes on top of what is kept. */
const NOTICE_BYTES = 64;
const MAX_BLOCKS = 1_000;
const MAX_NAME_CHARACTERS = 200;
const MAX_SEARCHED_CHARACTERS = 64 * 1024;
const MAX_SEARCHED_VALUES = 200;

/**
 * What a tool answered, as text for the model of at most `maxBytes`, with a word for everything that is no text and for what was cut.
 *
 * @param result The answer to `tools/call`, whatever is in it.
 */
export function resultText(result: unknown, maxBytes: number): string {
	const { content, structuredContent } = fieldsOf(result);
	const blocks = Array.isArray(content) ? content : [];
	const texts = blocks.slice(0, MAX_BLOCKS).map(blockText);
	if (blocks.length > MAX_BLOCKS) texts.push(`[${blocks.length - MAX_BLOCKS} more parts are left out]`);
	if (structuredContent !== undefined && !says(blocks.map(textIn).join("\n"), structuredContent))
		texts.push(JSON.stringify(structuredContent));
	const kept = new OutputBuffer(maxBytes - NOTICE_BYTES);
	kept.append(Buffer.from(seenText(texts.join("\n"))));
	return kept.text().text;
}

const textIn = (block: unknown): string => {
	const { type, text } = fieldsOf(block);
	return type === "text" && typeof text === "string" ? text : "";
};

/** One part of an answer or a message as text. */
export function blockText(block: unknown): string {
	const { type, text, data, mimeType, resource, uri, name } = fieldsOf(block);
	if (type === "text" && typeof text === "string") return text;
	if (type === "image" || type === "audio") return `[${type} ${worded(mimeType)}, ${sizeOf(data)}, not shown]`;
	if (type === "resource") return resourceText(fieldsOf(resource));
	if (type === "resource_link") return `[resource ${worded(name)}: ${worded(uri)}]`;
	return `[a part of the kind ${worded(type)}, not shown]`;
}

function resourceText({ uri, mimeType, text, blob }: Fields): string {
	if (typeof text === "string") return `[resource ${worded(uri)}]\n${text}`;
	return `[resource ${worded(uri)}, ${worded(mimeType)}, ${sizeOf(blob)}, not shown]`;
}

/**
 * Whether the text says already what is structured: servers are asked to, for those who read only that. Each value is looked for in it;
 * how the text puts them together is the server's.
 */
function says(text: string, structured: unknown): boolean {
	if (text === "" || text.length > MAX_SEARCHED_CHARACTERS) return false;
	const values = valuesIn(structured);
	return (
		values.length <= MAX_SEARCHED_VALUES &&
		values.every((value) => text.includes(value) || text.includes(JSON.stringify(value).slice(1, -1)))
	);
}

/** The single values in a structure as text, a few more than are looked for at most. */
function valuesIn(structured: unknown): readonly string[] {
	const values: string[] = [];
	for (const waiting = [structured]; waiting.length > 0 && values.length <= MAX_SEARCHED_VALUES; ) {
		const value = waiting.pop();
		if (typeof value === "object" && value !== null) for (const entry of Object.values(value)) waiting.push(entry);
		else values.push(String(value));
	}
	return values;
}

function sizeOf(base64: unknown): string {
	if (typeof base64 !== "string") return "without data";
	return `${Math.floor((base64.replace(/={1,2}$/, "").length * 3) / 4).toLocaleString("en-US")} bytes`;
}

const worded = (value: unknown): string =>
	typeof value === "string" ? boundedText(value, MAX_NAME_CHARACTERS).replaceAll("\n", " ") : "unnamed";

export const fieldsOf = (value: unknown): Fields => (typeof value === "object" && value !== null ? (value as Fields) : {});
