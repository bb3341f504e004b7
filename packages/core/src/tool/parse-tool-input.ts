import { shorten } from "../text/shorten.js";
import { beginningOf, wellFormedJson } from "../text/well-formed.js";
import { isNestedDeeper } from "../value/nesting.js";

/** A model's arguments as parsed JSON, or its text and why it is none. */
export type ParsedToolInput =
	| { readonly ok: true; readonly value: unknown }
	| { readonly ok: false; readonly raw: string; readonly message: string };

/** Deeper ones are no arguments: a history that holds them cannot be written as JSON at last, and every run fails that sends it. */
const MAX_LEVELS = 100;
/** What is kept of the text of such arguments. */
const MAX_RAW_CHARACTERS = 2_000;

/** Any spelling of the key `__proto__` in JSON text. */
const MAY_NAME_PROTO = /__proto__|\\u005f/i;

/**
 * Reads a model's arguments. Empty text means no arguments. A `__proto__` key is dropped: copied on, it would replace a prototype. Half a character
 * is U+FFFD, as no provider takes it back. Of arguments that are nested more than 100 levels deep the first 2000 characters are kept.
 */
export function parseToolInput(input: string): ParsedToolInput {
	if (input.trim() === "") return { ok: true, value: {} };
	const text = wellFormedJson(input);
	try {
		const value: unknown = JSON.parse(text);
		// a level is two characters at least
		if (text.length > 2 * MAX_LEVELS && isNestedDeeper(value, MAX_LEVELS)) {
			return { ok: false, raw: shorten(text, MAX_RAW_CHARACTERS), message: `nested too deeply, give at most ${MAX_LEVELS} levels` };
		}
		return { ok: true, value: MAY_NAME_PROTO.test(text) ? JSON.parse(text, withoutProto) : value };
	} catch (error) {
		const reason = error instanceof Error ? error.message : "unreadable";
		return { ok: false, raw: text, message: `not valid JSON (${beginningOf(reason, 200)})` };
	}
}

function withoutProto(key: string, value: unknown): unknown {
	return key === "__proto__" ? undefined : value;
}
