/** A model's arguments as parsed JSON, or its text and why it is none. */
export type ParsedToolInput =
	| { readonly ok: true; readonly value: unknown }
	| { readonly ok: false; readonly raw: string; readonly message: string };

/** Any spelling of the key `__proto__` in JSON text. */
const MAY_NAME_PROTO = /__proto__|\\u005f/i;

/** Reads a model's arguments. Empty text means no arguments. A `__proto__` key is dropped: copied on, it would replace a prototype. */
export function parseToolInput(input: string): ParsedToolInput {
	if (input.trim() === "") return { ok: true, value: {} };
	try {
		const value: unknown = MAY_NAME_PROTO.test(input) ? JSON.parse(input, withoutProto) : JSON.parse(input);
		return { ok: true, value };
	} catch (error) {
		const reason = error instanceof Error ? error.message : "unreadable";
		return { ok: false, raw: input, message: `not valid JSON (${reason.slice(0, 200)})` };
	}
}

function withoutProto(key: string, value: unknown): unknown {
	return key === "__proto__" ? undefined : value;
}
