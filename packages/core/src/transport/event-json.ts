import type { StreamEvent } from "../stream/stream-event.js";

/**
 * An event as JSON, on one line. What its data holds that is no JSON (a value that holds itself, a BigInt) is left out, field by field,
 * and `data.unserializable` says of each such field why: everything else of the event is still there.
 */
export function eventJson(event: StreamEvent): string {
	const { data } = event;
	if (!("toJSON" in data)) {
		const text = jsonOf(event);
		if (typeof text === "string") return text;
	}
	return JSON.stringify({ ...event, data: serializable(data) });
}

function serializable(data: object): Readonly<Record<string, unknown>> {
	const kept: [string, unknown][] = [];
	const unserializable: [string, string][] = [];
	for (const [field, value] of Object.entries(data)) {
		const text = field === "toJSON" ? new Error("toJSON would replace the data") : jsonOf(value);
		if (text instanceof Error) unserializable.push([field, text.message]);
		// as it was a moment ago: a toJSON of its own may answer otherwise when asked again
		else if (text !== undefined) kept.push([field, JSON.parse(text)]);
	}
	return Object.fromEntries([...kept, ["unserializable", Object.fromEntries(unserializable)]]);
}

/** `undefined` for what JSON leaves out. */
function jsonOf(value: unknown): string | undefined | Error {
	try {
		return JSON.stringify(value);
	} catch (error) {
		return new Error(error instanceof Error ? firstLineOf(error.message) : String(error));
	}
}

/** V8 draws a circle over several lines. */
const firstLineOf = (message: string): string => message.split("\n", 1)[0] ?? "";
