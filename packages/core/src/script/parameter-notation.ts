import { shorten } from "../text/shorten.js";
import type { ParameterType } from "./script-parameters.js";

/** What stands in `<…>`: what one value is. */
export interface ParameterNotation {
	readonly type: ParameterType;
	readonly minimum?: number;
	readonly maximum?: number;
	/** The author's word where it names no type of ours, for people and models: `FILE`. */
	readonly word?: string;
}

const TYPES: ReadonlyMap<string, ParameterType> = new Map([
	["STRING", "string"],
	["TEXT", "string"],
	["INT", "integer"],
	["INTEGER", "integer"],
	["NUM", "number"],
	["NUMBER", "number"],
	["BOOL", "boolean"],
	["BOOLEAN", "boolean"],
]);
/** A type of ours and more, in one word of an author's: a range that is written otherwise, most likely. */
const MEANT_AS_TYPE = new RegExp(String.raw`^(${[...TYPES.keys()].join("|")})(?:\s|[-_]?\d)`, "i");
const MAX_CHARACTERS = 60;
const NUMBER = String.raw`-?\d+(?:\.\d+)?`;
const NOTATION = new RegExp(String.raw`^(\p{L}[\p{L}\p{N}_ -]*?)(?:\s+(${NUMBER})?\.\.(${NUMBER})?)?$`, "u");

/** Reads what stands between the brackets; a text that says what is wrong with it. */
export function readNotation(text: string): ParameterNotation | string {
	// a longer one would take the expression too long
	const [, word = "", least, most] = NOTATION.exec(text.slice(0, MAX_CHARACTERS).trim()) ?? [];
	if (word === "" || text.length > MAX_CHARACTERS)
		return `<${shorten(text, MAX_CHARACTERS)}> is no type: write <INT>, <INT 1..100>, <NUM>, <BOOL>, or a word such as <FILE> for a text`;
	const meant = TYPES.has(word.toUpperCase()) ? undefined : MEANT_AS_TYPE.exec(word)?.[1];
	if (meant !== undefined)
		return `<${text}> begins as <${meant}>, and what follows is no range: write <${meant}>, <${meant} 1..100>, or for a text one word such as <FILE>`;
	const type = TYPES.get(word.toUpperCase()) ?? "string";
	if (least === undefined && most === undefined) return TYPES.has(word.toUpperCase()) ? { type } : { type, word };
	if (type !== "integer" && type !== "number") return `<${text}> has a range, which only <INT …> and <NUM …> can have`;
	const [minimum, maximum] = [least, most].map((bound) => (bound === undefined ? undefined : Number(bound)));
	if (minimum !== undefined && maximum !== undefined && minimum > maximum) return `the range of <${text}> is empty`;
	return { type, ...(minimum !== undefined && { minimum }), ...(maximum !== undefined && { maximum }) };
}
