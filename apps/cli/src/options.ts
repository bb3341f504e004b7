import { homedir } from "node:os";
import { type Config, config, configSources, configure, type SandboxBackend } from "@robot-lab/core";
import { isAtOrBelow, realPath } from "@robot-lab/core/paths";
import { type Command, InvalidArgumentError, Option } from "commander";
import { UsageError } from "./exit.js";

/** How far scripts may go at most. */
export interface CeilingOptions {
	readonly sandbox: boolean;
	readonly allowRead?: readonly string[];
	readonly allowWrite?: readonly string[];
	readonly allowNetwork?: boolean;
	readonly timeout?: number;
	readonly backend?: SandboxBackend;
}

export interface SkillsOption {
	/** In the place of the configured ones. */
	readonly skills?: readonly string[];
}

export interface JsonOption {
	readonly json?: boolean;
}

const BACKENDS: readonly SandboxBackend[] = ["auto", "seatbelt", "bubblewrap", "none"];
const LONGEST_TIMEOUT = 24 * 60 * 60;

export function addSkillsOption(command: Command): Command {
	return command
		.option("--skills <dir...>", "folders that hold skills (default: the configured ones, else ~/.prompts/skills)", collectPaths)
		.option(
			"--discover",
			"also find skills in .agents/skills and .claude/skills, of the working directory where it is trusted (robot-lab trust) and of the home directory",
		)
		.hook("preAction", (_, acting) => {
			if (acting.opts().discover === true) configure({ skills: { discover: true } });
		});
}

export function addJsonOption(command: Command, description: string): Command {
	return command.option("--json", description);
}

export function addCeilingOptions(command: Command): Command {
	return command
		.option(
			"--allow-read <path...>",
			"let skills that ask for it read these, besides the working directory, which counts unless it is or contains the home directory",
			collectPaths,
		)
		.option("--allow-write <path...>", "let skills that ask for it write these (default: none)", collectPaths)
		.option("--allow-network", "let skills that ask for it use the network (default: no)")
		.option("--timeout <seconds>", "the longest a script may run (default: 60)", parseTimeout)
		.addOption(new Option("--backend <name>", "what confines scripts (default: auto, which is seatbelt on macOS)").choices(BACKENDS))
		.option("--no-sandbox", "run scripts unconfined, with all the rights of this user");
}

/** Confinement is on here unless it is turned off, and every option widens the ceiling from "read the working directory". */
export function applyCeiling(options: CeilingOptions): Config {
	if (!options.sandbox && options.timeout !== undefined) {
		throw new UsageError("--timeout is the sandbox's limit and does nothing with --no-sandbox. Leave one of them out.");
	}
	if (!options.sandbox && options.backend !== undefined) {
		throw new UsageError("--backend chooses what confines scripts, and --no-sandbox that nothing does. Leave one of them out.");
	}
	const { sandbox } = config();
	return configure({
		sandbox: {
			enabled: options.sandbox,
			fsRead: [...reading(sandbox?.fsRead ?? ["."]), ...(options.allowRead ?? [])],
			fsWrite: [...(sandbox?.fsWrite ?? []), ...(options.allowWrite ?? [])],
			...(options.allowNetwork === true && { network: true }),
			...(options.timeout !== undefined && { timeout: options.timeout }),
			...(options.backend !== undefined && { backend: options.backend }),
		},
	});
}

/**
 * What may be read of what is configured. Somebody who starts the command at home does not mean that every skill may read all that lies
 * there, unless they wrote so themselves: neither the default nor the file of a project says that for them.
 */
function reading(configured: readonly string[]): readonly string[] {
	const { settings, files } = configSources();
	const layer = settings.find(({ name }) => name === "sandbox.fs_read")?.origin.layer;
	const isTheirs = layer !== "default" && (layer !== "project" || files.some(({ trusted }) => trusted === true));
	return isTheirs ? configured : configured.filter((path) => !isAtOrBelow(realPath(homedir()), realPath(path)));
}

function collectPaths(path: string, earlier: readonly string[] | undefined): readonly string[] {
	if (path.trim() === "") throw new InvalidArgumentError("A path must not be empty.");
	if (path.includes("\0")) throw new InvalidArgumentError("A path cannot hold a NUL character.");
	return [...(earlier ?? []), path];
}

function parseTimeout(text: string): number {
	const seconds = Number(text);
	if (!/^\d+$/.test(text) || seconds < 1 || seconds > LONGEST_TIMEOUT) {
		throw new InvalidArgumentError(`It takes a whole number of seconds from 1 to ${LONGEST_TIMEOUT}, e.g. --timeout 30.`);
	}
	return seconds;
}
