import type { FrontMatter } from "./front-matter.js";
import { FrontMatterFlaw } from "./front-matter-flaw.js";
import { parseYaml } from "./parse-yaml.js";

const NOTHING: FrontMatter["values"] = Object.freeze(Object.create(null));

/**
 * Reads the lines between the fences, with a blank one before them for the first fence, as keys with values; none where there is nothing.
 * Throws a {@link FrontMatterFlaw}.
 */
export function parseFrontMatter(text: string): FrontMatter {
	const { value, lineOf } = parseYaml(text);
	if (value === null || value === undefined) return { values: NOTHING, lineOf };
	if (typeof value === "object" && !Array.isArray(value)) return { values: value as FrontMatter["values"], lineOf };
	throw new FrontMatterFlaw(
		"yaml_invalid",
		`its front matter is ${Array.isArray(value) ? "a list" : `a ${typeof value}`}, not keys with values. Write it as "name: …" and "description: …".`,
	);
}
