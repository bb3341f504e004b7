import { basename } from "node:path";
import { splitWords } from "./split-words.js";

/**
 * The words a script's first line puts before its path, as the system would: the interpreter and at most one argument.
 * `undefined` without a `#!` line or when nothing follows it.
 *
 * `env` is looked through, with and without `-S`, and its words are always parted: the kernel hands them over as one,
 * with which `env` finds no program, or with an assignment first starts the script again and again.
 * A byte order mark before it and a carriage return at its end are overlooked.
 */
export function parseShebang(text: string): readonly string[] | undefined {
	const line = /^\uFEFF?#!([^\n]*)/.exec(text)?.[1]?.trim();
	const [, interpreter, argument] = /^(\S+)[ \t]*(.*)$/s.exec(line ?? "") ?? [];
	if (interpreter === undefined || argument === undefined) return undefined;
	if (basename(interpreter) === "env") return throughEnv(interpreter, argument);
	return argument === "" ? [interpreter] : [interpreter, argument];
}

function throughEnv(env: string, argument: string): readonly string[] | undefined {
	const words = wordsOf(argument.replace(/^(-S|--split-string[= ])\s*/, ""));
	const first = words[0];
	if (first === undefined) return undefined;
	return first.startsWith("-") || first.includes("=") ? [env, ...words] : words;
}

function wordsOf(text: string): readonly string[] {
	const split = splitWords(text);
	return split.ok ? split.words : text.split(/\s+/).filter((word) => word !== "");
}
