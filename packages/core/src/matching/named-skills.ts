import { nearestNames } from "../text/nearest-names.js";

/** What a message asks for by name, and what is left of it. */
export interface NamedSkills {
	/** As the skills are called, each once, in the order of the message. */
	readonly names: readonly string[];
	/** The message without them. */
	readonly message: string;
	/** What begins like a name and is none, with the names it may stand for, nearest first. It is still in the message. */
	readonly unknown?: { readonly written: string; readonly near: readonly string[] };
}

/** `/name` or `$name` at the beginning; a comma or a colon may follow. */
const FIRST_WORD = /^\s*([/$])([^\s,:/$]+)[,:]?(?=\s|$)/u;
/** Longer ones are text. */
const MAX_WORD = 200;

/**
 * Skills that a message begins with, as in `/log-report /markdown-links what is wrong?` or `$log-report why?`. Case does not count, nor whether words
 * are joined by hyphens or underscores. Only what is a known name counts: a path, a variable or a mistyped name stays part of the message, and none is
 * guessed.
 */
export function namedSkills(message: string, known: Iterable<string>): NamedSkills {
	const names = [...known];
	const found: string[] = [];
	let rest = message;
	for (;;) {
		const [written = "", , word = ""] = FIRST_WORD.exec(rest.slice(0, MAX_WORD + 2)) ?? [];
		const name = nameOf(word, names);
		if (name === undefined)
			return { names: [...new Set(found)], message: found.length === 0 ? message : rest.trimStart(), ...unknownOf(written, word, names) };
		found.push(name);
		rest = rest.slice(written.length);
	}
}

function nameOf(word: string, names: readonly string[]): string | undefined {
	if (word === "") return undefined;
	return names.find((name) => name === word) ?? names.find((name) => plain(name) === plain(word));
}

const plain = (name: string): string =>
	name
		.normalize("NFKC")
		.toLowerCase()
		.replaceAll(/[\s_-]+/g, "-");

function unknownOf(written: string, word: string, names: readonly string[]): Pick<NamedSkills, "unknown"> {
	const near = word === "" ? [] : nearestNames(word, names);
	return near.length === 0 ? {} : { unknown: { written: written.trim(), near } };
}
