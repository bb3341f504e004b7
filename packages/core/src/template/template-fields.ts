import { ConfigurationError } from "../errors/configuration-error.js";
import { describeValue } from "../text/describe-value.js";
import { didYouMean } from "../text/nearest-names.js";
import { frozenCopy } from "../value/frozen-copy.js";
import { isParameterName } from "./compile-body.js";
import type { Template, TemplateSettings } from "./template.js";

/** What the front matter of a template says. */
export interface TemplateFields extends Omit<Template, "id" | "body"> {
	/** What is ignored in it, and why: a sentence each. */
	readonly notices: readonly string[];
}

type Field = keyof TemplateSettings | "description" | "parameters" | "skills" | "metadata";

/** As files spell them. `metadata` is the author's own. */
const FIELDS: Readonly<Record<string, Field>> = {
	description: "description",
	parameters: "parameters",
	skills: "skills",
	metadata: "metadata",
	model: "model",
	temperature: "temperature",
	top_p: "topP",
	top_k: "topK",
	max_tokens: "maxTokens",
	presence_penalty: "presencePenalty",
	frequency_penalty: "frequencyPenalty",
	stop: "stop",
	seed: "seed",
};

/** Of robots, and of no template so far. */
const ELSEWHERE: Readonly<Record<string, string>> = {
	robot_name: "a robot is named where it is made",
	tools: "tools are given to the robot: localTools",
	mcp: "servers are given to the robot",
};

/** Reads front matter. Throws a ConfigurationError that names the key, without the file's name, for a value that a key does not take. */
export function readTemplateFields(frontMatter: Readonly<Record<string, unknown>>): TemplateFields {
	const value = (name: string): unknown => (Object.hasOwn(frontMatter, name) ? (frontMatter[name] ?? undefined) : undefined);
	const settings = Object.entries(FIELDS).flatMap(([name, field]) => {
		const read = SETTING_READERS[field as keyof TemplateSettings];
		return read === undefined || value(name) === undefined ? [] : [[field, read(name, value(name))] as const];
	});
	const description = value("description");
	return {
		...(description !== undefined && { description: text("description", description) }),
		parameters: parametersOf(value("parameters")),
		skills: value("skills") === undefined ? [] : texts("skills", value("skills")),
		settings: Object.fromEntries(settings) as TemplateSettings,
		notices: Object.keys(frontMatter).flatMap((name) => (Object.hasOwn(FIELDS, name) ? [] : [notice(name)])),
	};
}

function notice(name: string): string {
	const reason = Object.hasOwn(ELSEWHERE, name) ? `${ELSEWHERE[name]}` : "there is no such key of a template";
	return `${JSON.stringify(name)} is ignored: ${reason}.${didYouMean(name, Object.keys(FIELDS))}`;
}

function number(name: string, value: unknown): number {
	if (typeof value === "number" && Number.isFinite(value)) return value;
	throw new ConfigurationError(`${name} must be a number, not ${describeValue(value)}.`);
}

function text(name: string, value: unknown): string {
	if (typeof value === "string" && value.trim() !== "") return value;
	throw new ConfigurationError(`${name} must be a text that is not blank, not ${describeValue(value)}.`);
}

function texts(name: string, value: unknown): readonly string[] {
	const list: readonly unknown[] = Array.isArray(value) ? value : [value];
	const wrong = list.findIndex((entry) => typeof entry !== "string" || entry === "");
	if (wrong === -1) return list as readonly string[];
	throw new ConfigurationError(`${name} must be a text or a list of texts, and has ${describeValue(list[wrong])} in it.`);
}

type Reader = (name: string, value: unknown) => unknown;

const SETTING_READERS: Readonly<Partial<Record<Field, Reader>> & Record<keyof TemplateSettings, Reader>> = {
	model: text,
	temperature: number,
	topP: number,
	topK: number,
	maxTokens: number,
	presencePenalty: number,
	frequencyPenalty: number,
	stop: texts,
	seed: number,
};

function parametersOf(value: unknown): ReadonlyMap<string, unknown> {
	if (value === undefined) return new Map();
	if (typeof value !== "object" || value === null || Array.isArray(value)) {
		throw new ConfigurationError(
			`parameters must be names with defaults, not ${describeValue(value)}. Write each on a line of its own, "tone: friendly", or "tone:" where it must be given.`,
		);
	}
	const parameters = Object.entries(value);
	const wrong = parameters.find(([name]) => !isParameterName(name));
	if (wrong === undefined) return new Map(parameters.map(([name, standard]) => [name, frozenCopy(standard)]));
	throw new ConfigurationError(
		`${describeValue(wrong[0])} can be no parameter's name. It begins with a letter or "_" and goes on with letters, digits, "_" and "-".`,
	);
}
