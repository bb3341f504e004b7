import { SandboxUnavailableError } from "@robot-lab/core";
import { type Command, Option } from "commander";
import { WorkError } from "./exit.js";
import { addCeilingOptions, addJsonOption, addSkillsOption, type CeilingOptions, type JsonOption, type SkillsOption } from "./options.js";

/** What every command takes that asks about one skill's confinement. */
export interface SandboxQuestionOptions extends SkillsOption, JsonOption, CeilingOptions {
	readonly platform?: "darwin" | "linux";
	readonly script?: string;
}

export function addSandboxQuestionOptions(command: Command, platformDefault: string): Command {
	command
		.addOption(new Option("--platform <name>", `which system is asked about (default: ${platformDefault})`).choices(["darwin", "linux"]))
		.option("--script <name>", "the script whose interpreter counts, by file name or tool name (default: the first that can be run)");
	return addCeilingOptions(addJsonOption(addSkillsOption(command), "print one JSON document"));
}

/** Says what keeps a script from being run by its code, too; nothing was explained or printed then. */
export async function orUnavailable<T>(ask: () => T | Promise<T>): Promise<T> {
	try {
		return await ask();
	} catch (error) {
		throw SandboxUnavailableError.isInstance(error) ? new WorkError(`${error.code}: ${error.message}`) : error;
	}
}
