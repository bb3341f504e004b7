import { snakeCase } from "../config/snake-case.js";
import { ConfigurationError } from "../errors/configuration-error.js";
import type { DeclaredMap } from "./declared-map.js";

/**
 * Makes something of options that stand in a file, with code that knows of no file. What that refuses is said at the key of the option that it is
 * about, by the name that the file has for it.
 *
 * @param make Is called again with some of the options where it refuses them all, to find that one.
 */
export function madeOf<Options extends object, T>(map: DeclaredMap, options: Options, make: (options: Partial<Options>) => T): T {
	try {
		return make(options);
	} catch (error) {
		if (!ConfigurationError.isInstance(error)) throw error;
		const option = culpritOf(options, make, error.message);
		if (option === undefined || !map.has(snakeCase(option))) return map.within(undefined, () => rethrow(error));
		const key = snakeCase(option);
		const message = error.message.replaceAll(new RegExp(`\\b${option}\\b`, "g"), key);
		return map.within(key, () => rethrow(message === error.message ? error : new ConfigurationError(message, { cause: error })));
	}
}

/** The option that is refused with these words when it is alone, or without which the others are taken; none where it is not about them. */
function culpritOf<Options extends object>(
	options: Options,
	make: (options: Partial<Options>) => unknown,
	words: string,
): string | undefined {
	const refusal = (some: readonly (readonly [string, unknown])[]): string | undefined => {
		try {
			make(Object.fromEntries(some) as Partial<Options>);
			return undefined;
		} catch (error) {
			return ConfigurationError.isInstance(error) ? error.message : "";
		}
	};
	if (refusal([]) === words) return undefined;
	const all = Object.entries(options);
	const culprit =
		all.find((one) => refusal([one]) === words) ?? all.find(([name]) => refusal(all.filter(([other]) => other !== name)) === undefined);
	return culprit?.[0];
}

function rethrow(error: Error): never {
	throw error;
}
