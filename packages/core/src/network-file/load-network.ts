import { fileURLToPath } from "node:url";
import { type ApprovalOptions, checkApprovalOptions } from "../approval/approval-options.js";
import { ConfigurationError } from "../errors/configuration-error.js";
import type { ModelChoice } from "../model/model.js";
import { checkModelChoice } from "../model/model-id.js";
import type { Network } from "../network/network.js";
import { checkNames } from "../options/check-options.js";
import { type FileStart, readFileStart } from "../paths/read-file-start.js";
import { checkSkillMatching } from "../robot/check-robot-options.js";
import type { Delegate } from "../robot/delegation-future.js";
import type { SkillMatching } from "../robot/robot-options.js";
import { AgentSkillCatalog } from "../skill/agent-skill-catalog.js";
import { describeValue, isRecord } from "../text/describe-value.js";

/** What a network in a file is given by code. */
export interface LoadNetworkOptions {
	/** Robots by the names that tasks of the file have for them: those that it does not describe, and others in the place of those that it does. */
	readonly robots?: Readonly<Record<string, Delegate>>;
	/** The model of robots that name none, and whose templates name none. Default: the configured one. */
	readonly model?: ModelChoice;
	/** Where the skills are looked up that robots and their templates name. Default: `AgentSkillCatalog.instance`. */
	readonly skills?: AgentSkillCatalog;
	/** Whether somebody is asked before scripts of its robots' skills run: the `approval` of each. Default: nobody is asked. */
	readonly approval?: ApprovalOptions;
	/** How skills of its robots are matched: the `matching` of each. Default: what the configuration says. */
	readonly matching?: SkillMatching;
	/**
	 * The names of the values that its runs will be given as `context`. With them, a value that a text of the file needs and that is not among them
	 * is refused before anything runs, and one that no text uses. Default: what is missing fails its task.
	 */
	readonly contextNames?: readonly string[];
	/** Whether to import the packages of its robots' models now, so that one that is missing is told before anything runs. Default `false`. */
	readonly importModels?: boolean;
}

// a record, so that one that is forgotten, or no longer there, does not compile
const OPTIONS: Readonly<Record<keyof LoadNetworkOptions, true>> = {
	robots: true,
	model: true,
	skills: true,
	approval: true,
	matching: true,
	contextNames: true,
	importModels: true,
};

const MAX_BYTES = 256 * 1024;

/**
 * Makes a network of a YAML file: docs/networks.md has what can stand in it. Reads the file, the templates that its robots name, below
 * `config().templatePath`, and where robots name skills the catalog. Nothing of these is run, started or sent before the network runs.
 *
 * Rejects with ConfigurationError, or NetworkError where it is about tasks, for a file that cannot be read or made into a network: the message
 * names the file, the line, the key and what to do.
 *
 * @param path At most 256 KiB of UTF-8 text.
 */
export async function loadNetwork(path: string | URL, options: LoadNetworkOptions = {}): Promise<Network<string>> {
	checkNames("loadNetwork()", options, Object.keys(OPTIONS));
	const { robots = {}, model, skills = AgentSkillCatalog.instance, approval, matching, contextNames, importModels = false } = options;
	if (!isRecord(robots)) throw new ConfigurationError(`loadNetwork() needs robots by their names as robots, got ${describeValue(robots)}.`);
	if (contextNames !== undefined && !(Array.isArray(contextNames) && contextNames.every((name) => typeof name === "string")))
		throw new ConfigurationError(`loadNetwork() needs a list of names as contextNames, got ${describeValue(contextNames)}.`);
	if (typeof importModels !== "boolean")
		throw new ConfigurationError(`loadNetwork() needs true or false as importModels, got ${describeValue(importModels)}.`);
	if (approval !== undefined) checkApprovalOptions("loadNetwork(), approval,", approval);
	if (matching !== undefined) checkSkillMatching("loadNetwork(), matching", matching);
	checkModel(model);
	const given = new Map(Object.entries(robots).filter(([, robot]) => robot !== undefined));
	const file = filePath(path);
	const text = readText(file);
	// the parser is a good part of what importing this package costs
	const { declaredNetwork } = await import("./declared-network.js");
	return declaredNetwork(file, text, { robots: given, model, skills, approval, matching, contextNames, importModels });
}

/** So that no robot is blamed for a model that it does not name. */
function checkModel(model: ModelChoice | undefined): void {
	try {
		if (model !== undefined) checkModelChoice(model);
	} catch (error) {
		if (!ConfigurationError.isInstance(error)) throw error;
		throw new ConfigurationError(`loadNetwork() was given as model what is none. ${error.message}`, { cause: error });
	}
}

function filePath(path: unknown): string {
	if (typeof path === "string" && path !== "") return path;
	if (path instanceof URL && path.protocol === "file:") return fileURLToPath(path);
	throw new ConfigurationError(`loadNetwork() needs the path of a YAML file, got ${describeValue(path)}.`);
}

function readText(file: string): string {
	const refused = (why: string, cause?: unknown): ConfigurationError =>
		new ConfigurationError(`The network ${JSON.stringify(file)} cannot be read: ${why}`, cause === undefined ? {} : { cause });
	let start: FileStart;
	try {
		start = readFileStart(file, MAX_BYTES + 1);
	} catch (error) {
		const { code, message } = error as NodeJS.ErrnoException;
		if (code === "ENOENT" || code === "ENOTDIR") throw refused("there is no such file.", error);
		if (code === "not_a_file") throw refused("it is no file. Name a YAML file.", error);
		throw refused(`${code ?? message}. Check its permissions and those of the directories above.`, error);
	}
	const { bytes, size } = start;
	if (size > MAX_BYTES) throw refused(`it is larger than ${MAX_BYTES / 1024} KiB. Make several networks of it.`);
	try {
		return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
	} catch (cause) {
		throw refused("it is not UTF-8 text. Save it as UTF-8.", cause);
	}
}
