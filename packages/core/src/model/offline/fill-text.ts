import { contentWords, stemOf } from "../../text/words.js";
import { lower, type Material, take } from "./material.js";

/** Words behind which a request says what it is about, the telling ones first. */
const CUES = [
	["saying", "says", "titled", "called", "named", "containing", "mentioning"],
	["for", "about", "regarding", "that"],
	["to", "on", "of", "with", "whether"],
] as const;
const LEADING = /^(?:please|can you|could you|would you|i want to|i need to|i'd like to|let's|kindly)\s+/i;
const POLITE_END = /[\s,]*(?:please|thanks|thank you|for me|now)?[\s.?!]*$/i;

/** Free text: what follows a colon, else what the request is about, else the request without its first word. */
export function fillText(material: Material): string | undefined {
	return afterColon(material) ?? afterCue(material) ?? rest(material);
}

function afterColon(material: Material): string | undefined {
	const match = /:\s+(\S[\s\S]*)$/.exec(material.text);
	return match?.[1] === undefined ? undefined : take(material, material.text.length - match[1].length, material.text.length).trim();
}

function afterCue(material: Material): string | undefined {
	const { tokens, used } = material;
	for (const cues of CUES) {
		const at = tokens.findIndex((token) => token.kind === "word" && (cues as readonly string[]).includes(lower(token)) && !used.has(token));
		const first = tokens[at + 1];
		const phrase = at > 0 && first !== undefined && !used.has(first) ? phraseFrom(at + 1, material) : undefined;
		if (phrase !== undefined) return phrase;
	}
	return undefined;
}

function rest(material: Material): string | undefined {
	const skipped = LEADING.exec(material.text)?.[0].length ?? 0;
	const at = material.tokens.findIndex((token) => token.start >= skipped);
	const index = material.tokens.findIndex(
		(token, position) => position > at && !material.used.has(token) && !isFiller(lower(token), material),
	);
	return index === -1 ? undefined : phraseFrom(index, material);
}

/** From one token on to the end, or to the preposition before the next piece that is another argument. */
function phraseFrom(index: number, material: Material): string | undefined {
	const { tokens, used, text } = material;
	const start = tokens[index]?.start ?? text.length;
	let stop = tokens.findIndex((token, position) => position > index && used.has(token));
	if (stop > index + 1 && /^(?:in|on|at|to|from|by|for|with|of|into|as|before|after|next|this)$/.test(lower(tokens[stop - 1]))) stop--;
	const end = stop === -1 ? text.length : (tokens[stop]?.start ?? text.length);
	const phrase = withoutToolWords(
		text
			.slice(start, end)
			.replace(POLITE_END, "")
			.replace(/[\s,;:]+$/, ""),
		material,
	);
	if (phrase === "" || isAboutTool(phrase, material)) return undefined;
	return take(material, start, start + phrase.length);
}

/** `solar panels on the web`, said to a tool that searches the web: the end is about the tool. */
function withoutToolWords(phrase: string, material: Material): string {
	const end = /\s+(?:on|in|at|from|to|into|with|using)\s+(?:the\s+|my\s+|our\s+)?([\p{L}\s-]+)$/u.exec(phrase);
	return end?.[1] !== undefined && isAboutTool(end[1], material) ? phrase.slice(0, end.index) : phrase;
}

/** Whether a phrase has no word that the tool's own name and description lack. */
const isAboutTool = (phrase: string, { toolStems }: Material): boolean => contentWords(phrase).every((word) => toolStems.has(stemOf(word)));

const FILLERS = new Set(["the", "a", "an", "me", "us", "my", "our", "this", "that", "some", "for", "of"]);

/** A word that stands before what is meant: `the song` in `play the song Waterloo`. */
const isFiller = (word: string, { toolStems }: Material): boolean => FILLERS.has(word) || toolStems.has(stemOf(word));
