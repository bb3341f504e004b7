import { basename } from "node:path";
import { Capabilities } from "../capability/capabilities.js";
import { ConfigurationError } from "../errors/configuration-error.js";
import { describeValue, isList } from "../text/describe-value.js";
import type { SkillDiagnostic } from "./skill-diagnostic.js";

/** What the front matter of a SKILL.md makes of a skill, and what was doubtful about it. */
export interface SkillFields {
	readonly name: string;
	readonly description: string;
	readonly capabilities: Capabilities;
	readonly metadata: Readonly<Record<string, unknown>>;
	readonly license: string | undefined;
	readonly compatibility: string | undefined;
	readonly allowedTools: readonly string[];
	readonly diagnostics: readonly SkillDiagnostic[];
}

type FrontMatter = Readonly<Record<string, unknown>>;
type Doubt = readonly [code: string, message: string];

const MAX_NAME = 64;
const MAX_DESCRIPTION = 1024;
const STANDARD_NAME = /^[a-z0-9]+(-[a-z0-9]+)*$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL_CHARACTERS = /[\u0000-\u001f\u007f-\u009f]/;
const NO_METADATA: FrontMatter = Object.freeze(Object.create(null));

/** Reads the fields. Throws a ConfigurationError, without the file's name, when name or description is missing; doubts about the rest are diagnostics. */
export function readSkillFields(frontMatter: FrontMatter, skillMdPath: string, directory: string): SkillFields {
	const name = requiredText(frontMatter, "name");
	if (CONTROL_CHARACTERS.test(name))
		throw new ConfigurationError("its name contains a line break or another control character. Write it on one line.");
	const description = requiredText(frontMatter, "description");
	const capabilities = Capabilities.fromFrontMatter(frontMatter);
	const doubts = [
		...nameDoubts(name, directory),
		...descriptionDoubts(description),
		...capabilities.diagnostics.map((message): Doubt => ["capability_malformed", message]),
		...["license", "compatibility"].flatMap((key) => textDoubts(frontMatter, key)),
		...metadataDoubts(frontMatter.metadata),
		...toolDoubts(frontMatter["allowed-tools"]),
	];
	return {
		name,
		description,
		capabilities,
		metadata: isMap(frontMatter.metadata) ? frontMatter.metadata : NO_METADATA,
		license: optionalText(frontMatter.license),
		compatibility: optionalText(frontMatter.compatibility),
		allowedTools: Object.freeze(readAllowedTools(frontMatter["allowed-tools"])),
		diagnostics: doubts.map(([code, message]) => Object.freeze({ severity: "warning", code, message, path: skillMdPath })),
	};
}

function requiredText(frontMatter: FrontMatter, key: string): string {
	const value = frontMatter[key];
	if (value === undefined || value === null) throw new ConfigurationError(`its front matter has no ${key}. Add a line "${key}: …".`);
	if (typeof value !== "string") throw new ConfigurationError(`its ${key} is ${describeValue(value)}, not a text. Put it in quotes.`);
	const text = value.trim();
	if (text === "") throw new ConfigurationError(`its ${key} is blank. Write one.`);
	return text;
}

function nameDoubts(name: string, directory: string): readonly Doubt[] {
	const doubts: Doubt[] = [];
	if (!STANDARD_NAME.test(name) || name.length > MAX_NAME) {
		doubts.push([
			"name_nonstandard",
			`The name ${describeValue(name)} is not 1 to ${MAX_NAME} lower-case letters, digits and single hyphens, as the Agent Skills standard has it.`,
		]);
	}
	if (name !== basename(directory)) {
		doubts.push([
			"name_differs_from_directory",
			`The name ${describeValue(name)} differs from that of its directory, ${describeValue(basename(directory))}.`,
		]);
	}
	return doubts;
}

function descriptionDoubts(description: string): readonly Doubt[] {
	if (description.length <= MAX_DESCRIPTION) return [];
	return [
		["description_long", `The description has ${description.length} characters; the Agent Skills standard allows ${MAX_DESCRIPTION}.`],
	];
}

const optionalText = (value: unknown): string | undefined => (typeof value === "string" && value.trim() !== "" ? value.trim() : undefined);

function textDoubts(frontMatter: FrontMatter, key: string): readonly Doubt[] {
	const value = frontMatter[key];
	if (value === undefined || value === null || typeof value === "string") return [];
	return [["field_malformed", `${key}: ${describeValue(value)} is not a text; it is left out. Put it in quotes.`]];
}

const isMap = (value: unknown): value is FrontMatter => typeof value === "object" && value !== null && !isList(value);

function metadataDoubts(value: unknown): readonly Doubt[] {
	if (value === undefined || value === null || isMap(value)) return [];
	return [["field_malformed", `metadata: ${describeValue(value)} is not keys with values; it is left out.`]];
}

/** A list, or one text whose words are parted by blanks or commas; both keep `Bash(git add:*)` together. */
function readAllowedTools(value: unknown): readonly string[] {
	if (typeof value === "string") return value.match(/(?:\([^)]*\)?|[^\s,(])+/g) ?? [];
	if (!isList(value)) return [];
	return value.flatMap((tool) => (typeof tool === "string" && tool.trim() !== "" ? [tool.trim()] : []));
}

function toolDoubts(value: unknown): readonly Doubt[] {
	if (value === undefined || value === null || typeof value === "string") return [];
	if (!isList(value)) return [["field_malformed", `allowed-tools: ${describeValue(value)} is no text or list of texts; it is left out.`]];
	const strange = value.filter((tool) => typeof tool !== "string");
	return strange.map(
		(tool): Doubt => ["field_malformed", `allowed-tools: ${describeValue(tool)} is not a text; it is left out. Put it in quotes.`],
	);
}
