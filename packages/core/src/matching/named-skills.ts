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
/** Words that are looked at: more would be a bill, not a wish. What comes behind them is text. */
const MAX_WORDS = 10;

/**
 * Skills that a message begins with, ten at most, as in `/log-report /markdown-links what is wrong?` or `$log-report why?`. Case does not count, nor whether words
 * are joined by hyphens or underscores. Only what is a known name counts: a path, a variable or a mistyped name stays part of the message, and none is
 * guessed.
 */
export function namedSkills(message: string, known: Iterable<string>): NamedSkills {
	const found: string[] = [];
	let rest = message;
	let names: KnownNames | undefined;
	while (found.length < MAX_WORDS) {
		const [written = "", , word = ""] = FIRST_WORD.exec(rest.slice(0, MAX_WORD + 2)) ?? [];
		if (word === "") break;
		names ??= knownNames(known);
		const name = names.exact.has(word) ? word : names.byPlain.get(plain(word));
		if (name === undefined) return { ...foundIn(message, found, rest), ...unknownOf(written, word, names.exact) };
		found.push(name);
		rest = rest.slice(written.length);
	}
	return foundIn(message, found, rest);
}

const foundIn = (message: string, found: readonly string[], rest: string): NamedSkills => ({
	names: [...new Set(found)],
	message: found.length === 0 ? message : rest.trimStart(),
});

interface KnownNames {
	readonly exact: ReadonlySet<string>;
	/** The first of those that are written alike. */
	readonly byPlain: ReadonlyMap<string, string>;
}

function knownNames(known: Iterable<string>): KnownNames {
	const exact = new Set(known);
	const byPlain = new Map<string, string>();
	for (const name of exact) if (!byPlain.has(plain(name))) byPlain.set(plain(name), name);
	return { exact, byPlain };
}

const plain = (name: string): string =>
	name
		.normalize("NFKC")
		.toLowerCase()
		.replaceAll(/[\s_-]+/g, "-");

function unknownOf(written: string, word: string, names: Iterable<string>): Pick<NamedSkills, "unknown"> {
	const near = nearestNames(word, [...names]);
	return near.length === 0 ? {} : { unknown: { written: written.trim(), near } };
}
