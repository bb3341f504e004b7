import { isAbsolute } from "node:path";
import { describeValue } from "../text/describe-value.js";
import { MAX_TIMEOUT_MS } from "../value/longest-timer.js";
import { selectionFlaw } from "../value/selection.js";
import type { Check } from "./check.js";
import { isInjectingVariable } from "./injecting-variables.js";
import { mcpServers } from "./mcp-servers-check.js";

/** The keys of a section, each with its check or with the keys below it. */
export interface Section {
	readonly [key: string]: Check | Section;
}

/** What is wrong with the value of the setting `name`: "<name> must be …, not …". Nothing when it is right. */
export function flawText(name: string, value: unknown, check: Check): string | undefined {
	const flaw = check(value);
	if (flaw === undefined) return undefined;
	if (typeof flaw === "string") return `${name} must be ${flaw}, not ${describeValue(value)}`;
	if ("part" in flaw) return `${name}${flaw.part} ${flaw.flaw}`;
	return `${name} must hold only ${flaw.holds}, not ${describeValue(flaw.entry)}`;
}

/** What is kept of a value that is right. */
export const keptOf = (value: unknown, { keep }: Check): unknown => (keep === undefined ? value : keep(value));

/** The longest delay a timer can carry, in whole seconds. */
export const MAX_TIMEOUT_SECONDS: number = Math.floor(MAX_TIMEOUT_MS / 1000);

const oneOf =
	(...words: readonly string[]): Check =>
	(value) =>
		words.includes(value as string) ? undefined : `one of ${words.join(", ")}`;

const wholeNumber =
	(unit: string, least: number, most: number = Number.MAX_SAFE_INTEGER): Check =>
	(value) =>
		Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most
			? undefined
			: `a whole number of ${unit}, ${most === Number.MAX_SAFE_INTEGER ? `${least} or more` : `${least} to ${most}`}`;

const flag: Check = (value) => (typeof value === "boolean" ? undefined : "true or false");

const text: Check = (value) => (typeof value === "string" && value.trim() !== "" ? undefined : "a text that is not blank");

/** `holds` says what an entry should have been, or nothing when it is right. */
const listOf =
	(words: string, holds: (entry: unknown) => string | undefined): Check =>
	(value) => {
		if (!Array.isArray(value)) return `a list of ${words}`;
		const wrong = value.findIndex((entry) => holds(entry) !== undefined);
		return wrong === -1 ? undefined : { entry: value[wrong], holds: holds(value[wrong]) ?? words };
	};

const paths: Check = listOf("paths", (path) => (typeof path === "string" && path !== "" ? undefined : "paths"));

/** Paths that mean the same wherever the process is. */
export const fixedPaths: Check = listOf("paths", (path) =>
	typeof path === "string" && (isAbsolute(path) || /^~(\/|$)/.test(path)) ? undefined : "absolute paths or such that begin with ~/",
);

/** Nothing is expanded in them, so what would be meant to be is refused. */
const NO_EXACT_NAME = /^$|[=*?$\s\0]/;

const variables: Check = listOf("names of environment variables", (name) => {
	if (typeof name !== "string" || NO_EXACT_NAME.test(name)) return "exact names of environment variables";
	return isInjectingVariable(name) ? "variables that neither load code into programs nor lead to an agent" : undefined;
});

/** Every key there is. */
export const CONFIG_SECTIONS: Section = {
	sandbox: {
		enabled: flag,
		fsRead: paths,
		fsWrite: paths,
		network: flag,
		timeout: wholeNumber("seconds", 1, MAX_TIMEOUT_SECONDS),
		backend: oneOf("auto", "seatbelt", "bubblewrap", "none"),
		require: flag,
		protect: flag,
		trustCore: paths,
		env: oneOf("keep", "scrub"),
		envPass: variables,
		limits: {
			memoryMb: wholeNumber("MiB", 1),
			processes: wholeNumber("processes", 1),
			fileSizeMb: wholeNumber("MiB", 1),
			cpuSeconds: wholeNumber("seconds", 1),
			outputBytes: wholeNumber("bytes", 1),
		},
	},
	scripts: {
		cwd: oneOf("work", "skill"),
		requireExecutable: flag,
		maxModelBytes: wholeNumber("bytes", 256),
		nested: flag,
		pep723: oneOf("off", "uv"),
	},
	skills: {
		roots: paths,
		discover: flag,
		validation: oneOf("lenient", "strict"),
		activation: oneOf("prepend", "tool", "both"),
		embedder: text,
		topK: wholeNumber("skills", 1),
		candidates: wholeNumber("skills", 0),
		maxBytes: wholeNumber("bytes", 1),
	},
	model: text,
	templatePath: text,
	mcpServers,
	mcp: selectionFlaw,
	tools: selectionFlaw,
};
