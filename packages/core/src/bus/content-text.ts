import type { Json } from "../json/json-values.js";
import { shorten } from "../text/shorten.js";

/** What a message holds as text, for a model or a log: text as it is, a record as lines of `name: value`, anything else as JSON. */
export function contentText(content: Json): string {
	if (typeof content !== "object" || content === null || Array.isArray(content)) return valueText(content);
	return Object.entries(content)
		.map(([name, value]) => `${name}: ${valueText(value)}`)
		.join("\n");
}

/** The beginning of that. Makes no more text than is kept: what can be sent may be longer than a text can be. */
export function contentBeginning(content: Json, maxCharacters: number): string {
	return shorten(contentText(beginningOf(content, { left: maxCharacters + 1 })), maxCharacters);
}

const valueText = (value: Json): string => (typeof value === "string" ? value : JSON.stringify(value));

/** So much of a value as is needed for a text of so many characters, or a little more. */
function beginningOf(value: Json, room: { left: number }): Json {
	if (typeof value === "string") {
		const kept = shorten(value, Math.max(0, room.left));
		room.left -= kept.length;
		return kept;
	}
	room.left -= 1;
	if (typeof value !== "object" || value === null) return value;
	const kept: [string, Json][] = [];
	for (const [name, entry] of Object.entries(value)) {
		if (room.left <= 0) break;
		kept.push([shorten(name, room.left), beginningOf(entry, room)]);
		room.left -= name.length;
	}
	return Array.isArray(value) ? kept.map(([, entry]) => entry) : Object.fromEntries(kept);
}
