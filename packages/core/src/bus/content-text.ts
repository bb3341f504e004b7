import type { Json } from "../json/json-values.js";

/** What a message holds as text, for a model or a log: text as it is, a record as lines of `name: value`, anything else as JSON. */
export function contentText(content: Json): string {
	if (typeof content !== "object" || content === null || Array.isArray(content)) return valueText(content);
	return Object.entries(content)
		.map(([name, value]) => `${name}: ${valueText(value)}`)
		.join("\n");
}

const valueText = (value: Json): string => (typeof value === "string" ? value : JSON.stringify(value));
