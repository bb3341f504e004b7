import { describeValue } from "../text/describe-value.js";
import { seenText } from "../text/seen-text.js";
import { shorten } from "../text/shorten.js";
import { type ParameterNotation, readNotation } from "./parameter-notation.js";
import type { ParameterTag } from "./parameter-tags.js";
import { converted, fits, takes } from "./parameter-value.js";
import type { ScriptParameter } from "./script-parameters.js";

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

const MAX_DESCRIPTION = 1000;
const NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/;
/** `-o --out! =default-or-[choices] <NOTATION> text`, as argc has it; what follows the name follows without a blank. */
const TAG_TEXT =
	/^(?<short>-[^\s-]\s+)?(?<dashes>--)?(?<name>[^\s!*+=[~<|`-][^\s!*+=[~<|`]*)(?<modifier>!|[*+],?)?(?<value>=`[^`]*`|="[^"]*"|='[^']*'|=[^\s[`]\S*|\[[^\]]*\])?(?:\s+<(?<notation>[^<>]*)>)?(?:\s+(?<text>.*))?$/s;

/** One `@option`, `@flag` or `@arg`; a text that says what is wrong with it. */
export function parseParameter({ tag, text }: ParameterTag): ScriptParameter | string {
	const groups = TAG_TEXT.exec(text)?.groups;
	const name = groups?.name ?? "";
	if (groups === undefined || (groups.dashes !== undefined) !== (tag !== "arg") || (tag === "arg" && groups.short !== undefined)) {
		return `it is not of the form ${FORMS[tag]}`;
	}
	if (!NAME.test(name)) return `the name ${describeValue(name)} must be 1 to 64 ASCII letters, digits, "_", "." or "-"`;
	if (groups.text?.startsWith("<")) return "it takes more than one value at a time; declare a list with * instead";
	const notation = groups.notation === undefined ? undefined : readNotation(groups.notation);
	if (typeof notation === "string") return notation;
	if (tag !== "flag") return parameterWith(tag === "arg" ? "argument" : "option", name, groups, notation ?? { type: "string" });
	if (groups.modifier ?? groups.value ?? notation)
		return "a flag is given or not: it has no mark, no value and no <TYPE>; that is an @option";
	return { ...described(name, groups.text, undefined), kind: "flag", type: "boolean", required: false, multiple: false };
}

const FORMS: Readonly<Record<string, string>> = {
	option: "@option --name <TYPE> description",
	flag: "@flag --name description",
	arg: "@arg name <TYPE> description",
};

type Groups = Readonly<Record<string, string | undefined>>;

function parameterWith(kind: "option" | "argument", name: string, groups: Groups, notation: ParameterNotation): ScriptParameter | string {
	const { modifier = "", value } = groups;
	const { word, ...typed } = notation;
	const [required, multiple] = [/^[!+]/.test(modifier), /^[*+]/.test(modifier)];
	const parameter: Mutable<ScriptParameter> = { ...described(name, groups.text, word), kind, ...typed, required, multiple };
	if (value === undefined || isComputed(value)) return parameter;
	if (seenText(value) !== value) return `the value ${describeValue(value)} has characters that nobody sees`;
	return value.startsWith("[") ? withChoices(parameter, value.slice(1, -1)) : withDefault(parameter, unquoted(value.slice(1)));
}

/** Whether a function of the script gives the default or the choices: reading a declaration runs nothing, so nothing is known of them. */
const isComputed = (value: string): boolean => /^(?:=|\[\??)`/.test(value);

function withChoices(parameter: Mutable<ScriptParameter>, text: string): ScriptParameter | string {
	if (parameter.type === "boolean") return "true or false is all the choice there is";
	const words = text.replace(/^=/, "").split("|").map(unquoted);
	const choices = new Set<string | number>();
	for (const word of words) {
		const choice = word === "" ? undefined : converted(parameter, word);
		if (choice === undefined || choices.has(choice as string) || !fits(parameter, choice)) {
			return `the choice ${describeValue(word)} is empty, there twice, or not ${takes({ ...parameter, multiple: false })}`;
		}
		choices.add(choice as string);
	}
	parameter.choices = Object.freeze([...choices]);
	return text.startsWith("=") ? withDefault(parameter, words[0] as string) : parameter;
}

function withDefault(parameter: Mutable<ScriptParameter>, text: string): ScriptParameter | string {
	if (parameter.required || parameter.multiple) return "what must be given, or is a list, has no default";
	const value = converted(parameter, text);
	if (value === undefined || !fits(parameter, value)) return `the default ${describeValue(text)} is not ${takes(parameter)}`;
	parameter.default = value;
	return parameter;
}

function described(name: string, text: string | undefined, word: string | undefined): Pick<ScriptParameter, "name" | "description"> {
	const said = [text && seenText(text).replace(/\s+/g, " ").trim(), word === undefined ? "" : `(${word})`].filter(Boolean).join(" ");
	return said === "" ? { name } : { name, description: shorten(said, MAX_DESCRIPTION) };
}

const unquoted = (text: string): string => /^(["'])(.*)\1$/.exec(text.trim())?.[2] ?? text.trim();
