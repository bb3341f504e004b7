import type { JSONSchema7 } from "@ai-sdk/provider";
import { describeValue, isList } from "../text/describe-value.js";
import { splitWords } from "./split-words.js";

/** What a script's tool takes. */
export const SCRIPT_PARAMETERS: JSONSchema7 = {
	type: "object",
	properties: {
		args: {
			description:
				"The script's command line arguments: a list of strings, or one string that is split into words as a POSIX shell does. No variables, globs or pipes.",
			anyOf: [{ type: "array", items: { type: "string" } }, { type: "string" }],
		},
	},
	additionalProperties: false,
};

/** The arguments of one call, or what is wrong with them, as a line for the model. */
export type ScriptArguments =
	| { readonly ok: true; readonly value: { readonly args: readonly string[] } }
	| { readonly ok: false; readonly message: string };

/** Reads what a model sent for {@link SCRIPT_PARAMETERS}, or what this function made of it. No arguments at all are none. */
export function readScriptArguments(input: unknown): ScriptArguments {
	if (input === undefined || input === null) return { ok: true, value: { args: [] } };
	if (typeof input !== "object" || isList(input))
		return wrong(`the arguments must be an object like {"args": ["--flag", "value"]}, not ${describeValue(input)}`);
	const unknown = Object.keys(input).filter((key) => key !== "args");
	if (unknown.length > 0) return wrong(`there is no parameter ${unknown.slice(0, 5).map(describeValue).join(", ")}; the only one is args`);
	return readArgs((input as { readonly args?: unknown }).args ?? []);
}

function readArgs(args: unknown): ScriptArguments {
	if (typeof args === "string") {
		const split = splitWords(args);
		return split.ok ? withoutNul(split.words) : split;
	}
	if (!isList(args)) return wrong(`args must be an array of strings or one string, not ${describeValue(args)}`);
	const index = args.findIndex((word) => typeof word !== "string");
	if (index !== -1) return wrong(`args[${index}] must be a string, not ${describeValue(args[index])}`);
	return withoutNul(args as readonly string[]);
}

function withoutNul(args: readonly string[]): ScriptArguments {
	const index = args.findIndex((word) => word.includes("\0"));
	return index === -1 ? { ok: true, value: { args } } : wrong(`args[${index}] holds a NUL character, which no program can be given`);
}

const wrong = (message: string): ScriptArguments => ({ ok: false, message });
