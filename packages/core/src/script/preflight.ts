import { statSync } from "node:fs";
import { basename } from "node:path";
import { findProgram } from "../process/find-program.js";
import type { ScriptRefusal } from "../stream/script-outcome.js";
import { shorten } from "../text/shorten.js";
import type { ScriptOptions } from "./script-executor.js";
import { scriptSurroundings } from "./surroundings.js";

const MAX_SHOWN = 300;

/** Why a command cannot be started where it is to run; `undefined` when it can. Every executor may rely on it. */
export function commandRefusal(command: readonly string[], options: ScriptOptions): ScriptRefusal | undefined {
	if (command.some((word) => word.includes("\0"))) {
		return { code: "invalid_arguments", message: "An argument holds a NUL character, which no program can be given. Leave it out." };
	}
	const cwd = workingDirectory(options);
	if (typeof cwd !== "string") return cwd;
	return programRefusal(command, cwd, options.env?.PATH ?? process.env.PATH ?? "/usr/bin:/bin");
}

function workingDirectory(options: ScriptOptions): string | ScriptRefusal {
	try {
		const { cwd } = scriptSurroundings(options);
		if (isDirectory(cwd)) return cwd;
		return {
			code: "cwd_missing",
			message: `The working directory ${JSON.stringify(cwd)} does not exist or is no directory. Make it or give another cwd.`,
		};
	} catch {
		return { code: "cwd_missing", message: "The host process's working directory has been deleted. Start it in one that exists." };
	}
}

function isDirectory(path: string): boolean {
	return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function programRefusal(command: readonly string[], cwd: string, searchPath: string): ScriptRefusal | undefined {
	const [program = "", script] = command;
	const search = findProgram(program, cwd, searchPath);
	if ("path" in search) return undefined;
	const needed =
		script === undefined ? "" : `, which ${JSON.stringify(shorten(command.slice(1).map(shortName).join(" "), MAX_SHOWN))} needs`;
	const step = program.includes("/")
		? "Install it there, or change the script's first line."
		: `Install ${program}, or put its directory on PATH.`;
	return { code: "interpreter_missing", message: `${search.message}${needed}. ${step}` };
}

const shortName = (word: string): string => (word.includes("/") ? basename(word) : word);
