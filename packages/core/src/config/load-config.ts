import { ConfigurationError } from "../errors/configuration-error.js";
import { openToOthers } from "../paths/open-to-others.js";
import { type Check, flawText } from "./check.js";
import { type ConfigSurroundings, projectFile, trustRecord, userFiles } from "./config-files.js";
import type { ConfigOrigin, WrittenSetting } from "./config-origin.js";
import { environmentName, TEST_ENVIRONMENT } from "./environment-name.js";
import { fixedPrograms } from "./mcp-servers-check.js";
import { parseConfigFile } from "./parse-config-file.js";
import { mayProjectSet } from "./project-rules.js";
import { judgeProject, type ProjectTrust, type ProjectVerdict } from "./project-trust.js";
import { readConfigFile } from "./read-config-file.js";
import { readVariables } from "./read-variables.js";
import { DEFAULTS } from "./resolve.js";
import { SETTINGS, TRUSTED_PROJECTS, valueAt } from "./settings.js";
import { fixedGrants } from "./skill-grants-check.js";
import { unknownText } from "./unknown-settings.js";
import { fixedPaths } from "./value-checks.js";
import type { Written } from "./written.js";
import { writtenOf } from "./written-of.js";

/** A file in which settings are looked for. */
export interface ConfigFile {
	readonly path: string;
	readonly layer: "user" | "project";
	/** `skipped`: the user's files are not read in the environment `test`. */
	readonly state: "read" | "absent" | "skipped";
	/** Of the project's file: whether the user said that all of it counts. */
	readonly trusted?: boolean;
}

/** What files and variables say. */
export interface LoadedConfig {
	readonly written: Written;
	/** Where each setting that is written came from, by its name. */
	readonly origins: ReadonlyMap<string, ConfigOrigin>;
	readonly environment: string;
	/** Where the user says whose project files count whole. */
	readonly trust: ProjectTrust;
	readonly files: readonly ConfigFile[];
	/** What was ignored, and why: a sentence or two for each place. */
	readonly notices: readonly string[];
}

type Layer = ReadonlyMap<string, WrittenSetting>;

/**
 * Reads the user's files, then the project's, then the variables; each lies over the ones before, and of a file the section of the
 * present environment over the rest. Throws a ConfigurationError that names the file and the line, or the variable.
 */
export function loadConfig(surroundings: ConfigSurroundings): LoadedConfig {
	const environment = environmentName(surroundings.variables);
	const files: ConfigFile[] = [];
	const notices: string[] = [];
	const read = (path: string, layer: "user" | "project", trusted?: boolean): readonly WrittenSetting[] => {
		const text = readConfigFile(path);
		files.push({ path, layer, state: text === undefined ? "absent" : "read", ...(trusted !== undefined && { trusted }) });
		const { settings, unknown } = parseConfigFile({ text: text ?? "", path, layer, environment });
		notices.push(...some(unknownText(path, unknown)));
		return settings;
	};

	const variables = readVariables(surroundings.variables);
	notices.push(...some(unknownText("The environment", variables.unknown)));
	const paths = userFiles(surroundings);
	if (environment === TEST_ENVIRONMENT) files.push(...paths.map((path) => ({ path, layer: "user", state: "skipped" }) as const));
	const user = layerOf(environment === TEST_ENVIRONMENT ? [] : paths.flatMap((path) => read(path, "user")));
	const own = new Map([...user, ...layerOf(variables.settings)]);
	checkFixed(own.get("sandbox.trust_core"), fixedPaths);
	checkFixed(own.get("skills.roots"), fixedPaths);
	checkFixed(own.get("skills.grants"), fixedGrants);
	checkFixed(own.get("mcp_servers"), fixedPrograms);

	const { directory, home } = surroundings;
	const record = environment === TEST_ENVIRONMENT ? undefined : trustRecord(surroundings);
	const trust = { setting: own.get(TRUSTED_PROJECTS), ...(record !== undefined && { record }), ...(home !== undefined && { home }) };
	const verdict: ProjectVerdict = directory === undefined ? { isTrusted: false } : judgeProject(directory, trust);
	if (!verdict.isTrusted && verdict.refusal !== undefined)
		notices.push(`The project ${directory} is not trusted, because ${verdict.refusal}.`);
	const refusal = verdict.isTrusted ? openToOthers(projectFile(verdict.project)) : undefined;
	if (refusal !== undefined) notices.push(`The configuration file of the project ${directory} is not trusted, because ${refusal}.`);
	const trusted = verdict.isTrusted && refusal === undefined;
	const { kept, ignored } =
		directory === undefined ? NOTHING : projectLayer(read(projectFile(directory), "project", trusted), user, trusted);
	notices.push(...some(ignoredText(ignored, directory ?? "", paths[0])));

	const merged = new Map([...user, ...kept, ...layerOf(variables.settings)]);
	// No part of the configuration; and whose projects are trusted, a project does not say, trusted or not.
	merged.delete(TRUSTED_PROJECTS);
	return {
		written: writtenOf(merged.values()),
		origins: new Map([...merged.values()].map(({ name, origin }) => [name, origin])),
		environment,
		trust,
		files,
		notices,
	};
}

/** The later one of each name. */
const layerOf = (settings: readonly WrittenSetting[]): Layer => new Map(settings.map((setting) => [setting.name, setting]));

const some = (text: string | undefined): readonly string[] => (text === undefined ? [] : [text]);

/** A relative path would trust, or start, something else in every directory, one that was just downloaded included. */
function checkFixed(setting: WrittenSetting | undefined, check: Check): void {
	const flaw = setting === undefined ? undefined : flawText(setting.name, setting.value, check);
	if (setting === undefined || flaw === undefined) return;
	throw new ConfigurationError(`${placeOf(setting.origin)}: ${flaw}. Correct it there.`);
}

function placeOf(origin: ConfigOrigin): string {
	if ("path" in origin) return `${origin.path}, line ${origin.line}`;
	return "variable" in origin ? origin.variable : origin.layer;
}

interface ProjectLayer {
	readonly kept: Layer;
	readonly ignored: readonly WrittenSetting[];
}

const NOTHING: ProjectLayer = { kept: new Map(), ignored: [] };

function projectLayer(settings: readonly WrittenSetting[], user: Layer, trusted: boolean): ProjectLayer {
	const written = [...layerOf(settings).values()];
	const may = ({ name, value }: WrittenSetting): boolean => trusted || mayProjectSet(name, value, user.get(name)?.value ?? defaultOf(name));
	return { kept: layerOf(written.filter(may)), ignored: written.filter((setting) => !may(setting)) };
}

function defaultOf(name: string): unknown {
	const path = SETTINGS.get(name)?.path;
	return path === undefined ? undefined : valueAt(DEFAULTS, path);
}

function ignoredText(ignored: readonly WrittenSetting[], directory: string, userFile: string | undefined): string | undefined {
	const [first] = ignored;
	if (first === undefined || !("path" in first.origin)) return undefined;
	const named = ignored.map(({ name, origin }) => ("line" in origin ? `${name} (line ${origin.line})` : name)).join(", ");
	const trust = `${TRUSTED_PROJECTS}: [${JSON.stringify(directory)}]`;
	return (
		`${first.origin.path}: ignored, because a project's file may only confine more: ${named}. ` +
		`If you trust this project, run "robot-lab trust" in it, or write ${trust} into ${userFile ?? "your own configuration file"}; else set what you want there.`
	);
}
