import { basename } from "node:path";
import { parseEnvCommand, wordsOf } from "./env-command.js";

/**
 * The words a file's first line puts before its path, as the system hands them over: the interpreter and at most one argument.
 * `undefined` without a `#!` line or when nothing follows it.
 *
 * A byte order mark before it and a carriage return at its end are overlooked.
 */
export function readShebang(text: string): readonly [interpreter: string] | readonly [interpreter: string, argument: string] | undefined {
	const line = /^\uFEFF?#!([^\n]*)/.exec(text)?.[1]?.trim();
	const [, interpreter, argument] = /^(\S+)[ \t]*(.*)$/s.exec(line ?? "") ?? [];
	if (interpreter === undefined || argument === undefined) return undefined;
	return argument === "" ? [interpreter] : [interpreter, argument];
}

/**
 * The words a script is started with, before its path: those of its first line, except that `env` is looked through, with and
 * without `-S`, and that its words are always parted: the kernel hands them over as one, with which `env` finds no program, or
 * with an assignment first starts the script again and again. `env` stays where it has something to set.
 */
export function parseShebang(text: string): readonly string[] | undefined {
	const shebang = readShebang(text);
	if (shebang === undefined || basename(shebang[0]) !== "env") return shebang;
	const [env, argument = ""] = shebang;
	const { settings, command } = parseEnvCommand(envArguments(argument));
	if (command.length === 0) return undefined;
	return settings.length === 0 ? command : [env, ...settings, ...command];
}

/** One word where `-S` takes it whole, so that its quotes are read once. */
function envArguments(argument: string): readonly string[] {
	if (/^(-[iv0]*S|--split-string=)/.test(argument)) return [argument];
	const [, text] = /^--split-string\s+(.*)$/s.exec(argument) ?? [];
	return text === undefined ? wordsOf(argument) : ["--split-string", text];
}
