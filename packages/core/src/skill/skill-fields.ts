import { Capabilities } from "../capability/capabilities.js";
import { METADATA_PREFIX } from "../capability/declared-in-metadata.js";
import type { FrontMatter } from "../markdown/front-matter.js";
import { describeValue, isList, isRecord } from "../text/describe-value.js";
import { fieldFindings } from "./field-rules.js";
import type { Finding } from "./finding.js";
import { nameFindings } from "./name-rules.js";
import type { ValidationMode } from "./validation-mode.js";

/** What the front matter of a SKILL.md makes of a skill. */
export interface SkillFields {
	readonly name: string;
	readonly description: string;
	readonly capabilities: Capabilities;
	readonly metadata: Readonly<Record<string, unknown>>;
	readonly license: string | undefined;
	readonly compatibility: string | undefined;
	readonly allowedTools: readonly string[];
}

/** The fields, where name and description can be used, and what is to be said about them. */
export interface JudgedFields {
	readonly fields: SkillFields | undefined;
	readonly findings: readonly Finding[];
}

type Values = FrontMatter["values"];

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL_CHARACTERS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;
/** Three times what the standard has. It is part of what a model reads at every step, whatever the skill is good for. */
const LONGEST_NAME = 200;
const NO_METADATA: Values = Object.freeze(Object.create(null));
const NO_TOOLS: readonly string[] = Object.freeze([]);

/** Reads the fields of a skill in a directory of that name; `undefined`: nobody knows yet where it will lie. Looks at nothing else. */
export function judgeFields(values: Values, directoryName: string | undefined, mode: ValidationMode): JudgedFields {
	const name = requiredText(values, "name");
	const description = requiredText(values, "description");
	const capabilities = Capabilities.fromFrontMatter(values);
	const findings = [
		...(typeof name === "string" ? nameFindings(name, directoryName, mode) : [name]),
		...(typeof description === "string" ? [] : [description]),
		...fieldFindings(values, mode),
		...capabilities.diagnostics.map((message) => capabilityFinding(message, values)),
	];
	if (typeof name !== "string" || typeof description !== "string") return { fields: undefined, findings };
	const fields = {
		name,
		description,
		capabilities,
		metadata: isRecord(values.metadata) ? values.metadata : NO_METADATA,
		license: optionalText(values.license),
		compatibility: optionalText(values.compatibility),
		allowedTools: readAllowedTools(values["allowed-tools"]),
	};
	return { fields, findings };
}

/** The text, or why there is none without which no skill is loaded in either mode: nobody could find it, or say what it is called. */
function requiredText(values: Values, key: "name" | "description"): string | Finding {
	const value = values[key];
	const flaw = (code: string, message: string): Finding => ({ severity: "error", code, message, ...(value !== undefined && { key }) });
	if (value === undefined || value === null) return flaw(`${key}_missing`, `Its front matter has no ${key}. Add a line "${key}: …".`);
	if (typeof value !== "string") return flaw("field_malformed", `Its ${key} is ${describeValue(value)}, not a text. Put it in quotes.`);
	const text = value.trim();
	if (text === "") return flaw(`${key}_missing`, `Its ${key} is blank. Write one.`);
	if (key === "name" && CONTROL_CHARACTERS.test(text)) {
		return flaw("name_unusable", "Its name contains a line break or another control character. Write it on one line.");
	}
	if (key === "name" && text.length > LONGEST_NAME) {
		return flaw(
			"name_unusable",
			`Its name has ${text.length} characters, more than ${LONGEST_NAME}. Write a short one, and the rest into the description.`,
		);
	}
	return text;
}

/** Its message begins with the field's name as it is written. */
function capabilityFinding(message: string, values: Values): Finding {
	const finding = { severity: "warning", code: "capability_malformed", message } as const;
	const [name = ""] = /^[\w.-]*/.exec(message) ?? [];
	const [field = "", below] = name.split(".");
	if (values[field] !== undefined) return { ...finding, key: field, ...(below !== undefined && { below }) };
	const isNamed = name.startsWith(METADATA_PREFIX);
	const spelt = isNamed ? finding : { ...finding, message: METADATA_PREFIX + message };
	return { ...spelt, key: "metadata", below: isNamed ? name : METADATA_PREFIX + name };
}

const optionalText = (value: unknown): string | undefined => (typeof value === "string" && value.trim() !== "" ? value.trim() : undefined);

/** A list, or one text whose words are parted by blanks or commas; both keep `Bash(git add:*)` together. */
function readAllowedTools(value: unknown): readonly string[] {
	if (typeof value === "string") return Object.freeze(value.match(/(?:\([^)]*\)?|[^\s,(])+/g) ?? []);
	if (!isList(value)) return NO_TOOLS;
	return Object.freeze(value.flatMap((tool) => (typeof tool === "string" && tool.trim() !== "" ? [tool.trim()] : [])));
}
