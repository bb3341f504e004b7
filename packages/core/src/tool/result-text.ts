import { OutputBuffer } from "../process/output-buffer.js";
import { describeValue } from "../text/describe-value.js";
import { messageOf } from "../text/message-of.js";

/** How much of a result the model reads where the tool does not say. */
const DEFAULT_MAX_BYTES = 256 * 1024;
/** Room for the notice of a cut, which comes on top of what is kept. */
const NOTICE_BYTES = 64;

/**
 * A tool's result as text for the model: a string as it is, nothing for `undefined`, everything else as JSON; at most `maxBytes` of it in
 * UTF-8, a quarter of the beginning and the rest from the end, with a notice between them. Throws an error that says why where JSON cannot say it.
 */
export function resultText(result: unknown, maxBytes: number = DEFAULT_MAX_BYTES): string {
	const text = typeof result === "string" ? result : toJson(result);
	if (Buffer.byteLength(text) <= maxBytes) return text;
	const kept = new OutputBuffer(maxBytes - NOTICE_BYTES);
	kept.append(Buffer.from(text));
	return kept.text().text;
}

function toJson(result: unknown): string {
	if (typeof result === "function" || typeof result === "symbol") {
		throw new Error(`its result cannot be written as JSON: it is ${describeValue(result)}`);
	}
	try {
		return JSON.stringify(result) ?? "";
	} catch (error) {
		const [reason] = messageOf(error).split("\n");
		throw new Error(`its result cannot be written as JSON (${reason})`);
	}
}
