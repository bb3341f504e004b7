import { stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import {
	type AgentSkillCatalog,
	ConfigurationError,
	configSources,
	configure,
	type LoadNetworkOptions,
	loadNetwork,
	type Network,
} from "@robot-lab/core";
import type { Command } from "commander";
import { openCatalog } from "./catalog.js";
import { UsageError, WorkError } from "./exit.js";
import { chooseModel, type ModelChoice } from "./model.js";
import { addSkillsOption, type SkillsOption } from "./options.js";

/** What every command takes that reads a network. */
export interface NetworkFileOptions extends SkillsOption {
	readonly templates?: string;
	readonly model?: string;
}

export interface OpenedNetwork {
	readonly network: Network<string>;
	readonly choice: ModelChoice;
	readonly skills: AgentSkillCatalog;
}

export function addNetworkFileOptions(command: Command): Command {
	return addSkillsOption(
		command.option(
			"--templates <dir>",
			"the folder of the templates that robots name (default: the configured one, else prompts beside the file, else ./prompts)",
		),
	);
}

/**
 * Reads a network, its templates and which skills there are. Nothing of it runs.
 *
 * @param checks What is looked at besides, where it is to run.
 */
export async function openNetwork(
	file: string,
	{ templates, model, skills: directories }: NetworkFileOptions,
	checks: Pick<LoadNetworkOptions, "approval" | "contextNames" | "importModels"> = {},
): Promise<OpenedNetwork> {
	if (templates?.trim() === "") throw new UsageError("--templates takes a folder, not an empty text.");
	const templatePath = templates ?? (await templatesBeside(file));
	if (templatePath !== undefined) configure({ templatePath });
	const choice = chooseModel(model);
	const skills = await openCatalog(directories);
	const network = await loadNetwork(file, { model: choice.model, skills, ...checks }).catch((error: unknown) => {
		throw isForbidden(error) ? new WorkError(error.message) : error;
	});
	return { network, choice, skills };
}

/** A network works from any directory with the templates that lie beside it, unless somebody chose a folder for them. */
async function templatesBeside(file: string): Promise<string | undefined> {
	const isChosen = configSources().settings.some(({ name, origin }) => name === "template_path" && origin.layer !== "default");
	const beside = join(dirname(file), "prompts");
	if (isChosen) return undefined;
	const isThere = await stat(beside).then(
		(found) => found.isDirectory(),
		() => false,
	);
	return isThere ? beside : undefined;
}

/** A file that is there and may not be read is no wrong usage. */
function isForbidden(error: unknown): error is Error {
	if (!ConfigurationError.isInstance(error)) return false;
	const { code } = (error.cause ?? {}) as NodeJS.ErrnoException;
	return code === "EACCES" || code === "EPERM";
}
