import { statSync } from "node:fs";
import { basename, isAbsolute } from "node:path";
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
	const [program = ""] = command;
	const search = findProgram(program, cwd, searchPath);
	if ("path" in search) return undefined;
	const needed = command.length === 1 ? "" : `, which ${JSON.stringify(shorten(neededBy(command), MAX_SHOWN))} needs`;
	return { code: "interpreter_missing", message: `${search.message}${needed}. ${howToGet(program)}` };
}

/** The script, where the command names one below a directory, and else all that follows the program. */
function neededBy([, ...words]: readonly string[]): string {
	const script = words.find((word) => isAbsolute(word));
	return script === undefined ? words.map(shortName).join(" ") : basename(script);
}

/** What to do about a program that is not there. */
export function howToGet(program: string): string {
	if (program.includes("/")) return "Install it there, or change the script's first line.";
	const step = STEPS[program];
	return Object.hasOwn(STEPS, program) && step !== undefined ? step : `Install ${program}, or put its directory on PATH.`;
}

/** Where a program is not installed under its own name. */
const STEPS: Readonly<Record<string, string>> = {
	python: "Many systems have only python3: change the script's first line to name that, or put a python on PATH.",
	python3: "Install Python 3, or put the directory of python3 on PATH.",
	node: "Install Node.js, or put the directory of node on PATH.",
	pwsh: "Install PowerShell 7, whose program is pwsh, or put its directory on PATH.",
	Rscript: "Install R, whose program for scripts is Rscript, or put its directory on PATH.",
};

const shortName = (word: string): string => (word.includes("/") ? basename(word) : word);
