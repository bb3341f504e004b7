import { splitWords } from "./split-words.js";

/** A command line of `env`, taken apart. */
export interface EnvCommand {
	/** Options with their values, and assignments; the words of `-S` are in their places already. */
	readonly settings: readonly string[];
	/** The program that is run and its arguments; empty when there is none. */
	readonly command: readonly string[];
}

/** Of GNU's and the BSDs' `env`. */
const SHORT_WITH_VALUE = "uCPLUa";
const SPLIT = "--split-string=";
const LONG_WITH_VALUE: ReadonlySet<string> = new Set(["--unset", "--chdir", "--argv0"]);

/** Takes the arguments of `env` apart, each a word as `env` itself gets it. */
export function parseEnvCommand(args: readonly string[]): EnvCommand {
	const settings: string[] = [];
	let rest = args;
	for (let option = takeOption(rest); option !== undefined; option = takeOption(rest)) {
		settings.push(...option.words);
		rest = option.rest;
	}
	const start = rest[0] === "--" ? 1 : 0;
	const end = rest.findIndex((word, index) => index >= start && word.indexOf("=") <= 0);
	const assignments = end === -1 ? rest.slice(start) : rest.slice(start, end);
	return { settings: [...settings, ...assignments], command: end === -1 ? [] : rest.slice(end) };
}

/** What `env` runs when it is given these arguments: the program first. Empty when it runs nothing. */
export const programOfEnv = (args: readonly string[]): readonly string[] => parseEnvCommand(args).command;

interface TakenOption {
	readonly words: readonly string[];
	readonly rest: readonly string[];
}

function takeOption([word, ...rest]: readonly string[]): TakenOption | undefined {
	if (word === undefined || !word.startsWith("-") || word === "--") return undefined;
	return word.startsWith("--") ? takeLong(word, rest) : takeShort(word, rest);
}

function takeLong(word: string, rest: readonly string[]): TakenOption {
	if (word === "--split-string") return splitNext([], rest);
	if (word.startsWith(SPLIT)) return splitNext([], [word.slice(SPLIT.length), ...rest]);
	return LONG_WITH_VALUE.has(word) ? withNext(word, rest) : { words: [word], rest };
}

/** Several options may stand in one word; the first that takes a value takes what follows it there, else the next word. */
function takeShort(word: string, rest: readonly string[]): TakenOption {
	const at = [...word].findIndex((letter, index) => index > 0 && (letter === "S" || SHORT_WITH_VALUE.includes(letter)));
	if (at === -1) return { words: [word], rest };
	const value = word.slice(at + 1);
	if (word[at] === "S") return splitNext(at > 1 ? [word.slice(0, at)] : [], value === "" ? rest : [value, ...rest]);
	return value === "" ? withNext(word, rest) : { words: [word], rest };
}

const withNext = (word: string, rest: readonly string[]): TakenOption => ({ words: [word, ...rest.slice(0, 1)], rest: rest.slice(1) });

const splitNext = (words: readonly string[], [text = "", ...rest]: readonly string[]): TakenOption => ({
	words,
	rest: [...wordsOf(text), ...rest],
});

/** As a shell parts them; a text with an unbalanced quote at its blanks. */
export function wordsOf(text: string): readonly string[] {
	const split = splitWords(text);
	return split.ok ? split.words : text.split(/\s+/).filter((word) => word !== "");
}
