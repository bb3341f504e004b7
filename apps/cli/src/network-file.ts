import { type AgentSkillCatalog, ConfigurationError, configure, loadNetwork, type Network } from "@robot-lab/core";
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
		command.option("--templates <dir>", "the folder of the templates that robots name (default: the configured one, else ./prompts)"),
	);
}

/** Reads a network, its templates and which skills there are. Nothing of it runs. */
export async function openNetwork(file: string, { templates, model, skills: directories }: NetworkFileOptions): Promise<OpenedNetwork> {
	if (templates?.trim() === "") throw new UsageError("--templates takes a folder, not an empty text.");
	if (templates !== undefined) configure({ templatePath: templates });
	const choice = chooseModel(model);
	const skills = await openCatalog(directories);
	const network = await loadNetwork(file, { model: choice.model, skills }).catch((error: unknown) => {
		throw isForbidden(error) ? new WorkError(error.message) : error;
	});
	return { network, choice, skills };
}

/** A file that is there and may not be read is no wrong usage. */
function isForbidden(error: unknown): error is Error {
	if (!ConfigurationError.isInstance(error)) return false;
	const { code } = (error.cause ?? {}) as NodeJS.ErrnoException;
	return code === "EACCES" || code === "EPERM";
}
