import { ConfigurationError } from "../errors/configuration-error.js";
import { parseYaml } from "./parse-yaml.js";

/**
 * Reads the lines between the fences as keys with values, deeply frozen, objects without a prototype; none where there is nothing. Throws a
 * ConfigurationError that says what is wrong, without the file's name.
 */
export function parseFrontMatter(text: string): Readonly<Record<string, unknown>> {
	const value = parseYaml(text);
	if (value === null || value === undefined) return Object.freeze(Object.create(null));
	if (typeof value === "object" && !Array.isArray(value)) return value as Readonly<Record<string, unknown>>;
	throw new ConfigurationError(
		`its front matter is ${Array.isArray(value) ? "a list" : `a ${typeof value}`}, not keys with values. Write it as "name: …" and "description: …".`,
	);
}
