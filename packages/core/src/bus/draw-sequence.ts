import type { Json } from "../json/json-values.js";
import { shorten } from "../text/shorten.js";
import type { ObservedMessage } from "./bus-projection.js";
import { contentBeginning } from "./content-text.js";

const MAX_LABEL_CHARACTERS = 80;

/** Of these, those that are no space are shown. */
const MAX_READ_CHARACTERS = 2_000;

/** Messages in their order, each below the names of who sent it and whom it is for. */
export function drawSequence(messages: readonly ObservedMessage[]): string {
	const names = [...new Set(messages.flatMap(({ from, to }) => [from, to]))];
	const ids = new Map(names.map((name, place) => [name, `p${place}`]));
	const idOf = (name: string): string => ids.get(name) ?? "";
	return [
		"sequenceDiagram",
		...names.map((name) => `  participant ${idOf(name)} as ${label(name)}`),
		...messages.flatMap(({ from, to, content, inReplyTo, deaths }) => [
			`  ${idOf(from)}${inReplyTo === undefined ? "->>" : "-->>"}${idOf(to)}: ${label(content)}`,
			...deaths.map((death) => `  Note over ${idOf(to)}: ${label(deathText(death))}`),
		]),
	].join("\n");
}

function deathText({ reason, attempts, error }: ObservedMessage["deaths"][number]): string {
	const tries = attempts > 1 ? `, ${attempts} attempts` : "";
	return `dead: ${reason}${tries}${error === undefined ? "" : `: ${error.message}`}`;
}

/** On one line, and without what could end it, be read as markup, or begin a character's code. */
function label(content: Json): string {
	const text = contentBeginning(content, MAX_READ_CHARACTERS);
	const line = shorten(text.replaceAll(/\s+/gu, " ").trim(), MAX_LABEL_CHARACTERS);
	return line.replaceAll(/["#%&:;<>`\\]/g, (character) => `#${character.charCodeAt(0)};`) || "#32;";
}
