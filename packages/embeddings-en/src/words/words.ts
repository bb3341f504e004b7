import { STOP_WORDS } from "./stop-words.js";

/** With what belongs to a name behind it, as in C++ and C#. */
const WORD = /[\p{L}\p{N}]+(?:'\p{L}+|[+#]+(?![\p{L}\p{N}]))?/gu;
const MARKS = /\p{M}+/gu;

/** The words of a text that carry meaning, in lower case, without accents and the possessive; names like `readFile` and `read_file` taken apart. */
export function contentWords(text: string): string[] {
	const apart = text
		.normalize("NFKC")
		.replaceAll(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1 $2")
		.replaceAll("’", "'");
	const plain = apart.toLowerCase().normalize("NFKD").replaceAll(MARKS, "");
	return (plain.match(WORD) ?? []).map((word) => word.replace(/'s$/, "")).filter((word) => !STOP_WORDS.has(word));
}
