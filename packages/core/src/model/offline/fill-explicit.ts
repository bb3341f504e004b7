import type { Material } from "./material.js";
import { take } from "./material.js";
import type { Parameter } from "./parameter.js";

/** A value the message names itself: `limit=5`, `--limit 5`, `title: Weekly review`. */
export function fillExplicit(parameter: Parameter, material: Material): unknown {
	const name = parameter.name
		.replaceAll(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
		.split(/[\s_-]+/)
		.map(literally)
		.join("[\\s_-]?");
	const value = `(?:"([^"\\n]*)"|'([^'\\n]*)'|(${parameter.type === "string" ? "[^\\n,;]+?(?=[,;\\n]|\\s+\\S+[=:]|$)" : "[^\\s,;]+"}))`;
	const match = new RegExp(`(?:(?<![\\w/])${name}\\s*[=:](?!//)\\s*|(?<!\\S)--${name}[=\\s]+)${value}`, "iu").exec(material.text);
	if (match === null) return undefined;
	const converted = convert(parameter, (match[1] ?? match[2] ?? match[3] ?? "").trim());
	if (converted !== undefined) take(material, match.index, match.index + match[0].length);
	return converted;
}

function convert(parameter: Parameter, text: string): unknown {
	const choice = parameter.choices.find((each) => String(each).toLowerCase() === text.toLowerCase());
	if (parameter.choices.length > 0) return choice;
	switch (parameter.type) {
		case "string":
			return text === "" ? undefined : text;
		case "boolean":
			return /^(true|yes|on|1)$/i.test(text) ? true : /^(false|no|off|0)$/i.test(text) ? false : undefined;
		case "number":
		case "integer":
			return text === "" || Number.isNaN(Number(text)) ? undefined : Number(text);
		default:
			return undefined;
	}
}

const literally = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
