import type { ScriptInput, ScriptParameter, ScriptParameters } from "./script-parameters.js";

type Values = Readonly<Record<string, unknown>>;

/**
 * What a script is started with for values that were checked. An option and its value are one word (`--limit=5`), a flag is a word of its own, a list
 * repeats its option; arguments come last. No value can become an option: `--` stands before the arguments where the script has options, or
 * where one of them begins with `-`.
 */
export function parametersToInput({ input, parameters }: ScriptParameters, values: Values): ScriptInput {
	if (input === "json") return { args: [], stdin: `${JSON.stringify(values)}\n` };
	const options = parameters.filter(({ kind }) => kind !== "argument");
	const places = parameters.filter(({ kind }) => kind === "argument");
	const last = places.findLastIndex(({ name }) => Object.hasOwn(values, name));
	const words = places.slice(0, last + 1).flatMap((place) => wordsOf(place, values));
	const parted = words.length > 0 && (options.length > 0 || words.some((word) => word.startsWith("-")));
	return { args: [...options.flatMap((option) => optionWords(option, values)), ...(parted ? ["--"] : []), ...words] };
}

function optionWords(option: ScriptParameter, values: Values): readonly string[] {
	if (!Object.hasOwn(values, option.name)) return [];
	if (option.kind === "flag") return values[option.name] === true ? [`--${option.name}`] : [];
	return wordsOf(option, values).map((word) => `--${option.name}=${word}`);
}

/** Of an argument that was left out its default holds the place. */
function wordsOf({ name, default: usual }: ScriptParameter, values: Values): readonly string[] {
	return [Object.hasOwn(values, name) ? values[name] : usual].flat().map(String);
}
