import { basename, resolve } from "node:path";
import { config } from "../config/configure.js";
import { shorten } from "../text/shorten.js";
import { declaredParameters } from "./declared-parameters.js";
import { describeScript, HEAD_BYTES } from "./description.js";
import { isExecutable, makeExecutable } from "./executable-bit.js";
import { chooseInterpreter } from "./interpreter.js";
import { noScriptByContent, noScriptByName } from "./no-script.js";
import { NotAFileError, readFileStart } from "./read-file-start.js";
import type { ParameterDeclaration } from "./script-parameters.js";

const MAX_NAME_SHOWN = 255;

/** What a file in `scripts/` is. */
export type ScriptInspection =
	/** It becomes a tool. */
	| {
			readonly kind: "script";
			readonly path: string;
			readonly description: string;
			readonly command: readonly string[];
			/** What it declares to take. Absent where it declares nothing; then it takes plain `args`. */
			readonly declaration?: ParameterDeclaration;
	  }
	/** It looks like a script and does not become a tool; somebody has to do something about it. */
	| {
			readonly kind: "unusable";
			readonly path: string;
			readonly code: "script_not_executable" | "script_unreadable";
			readonly message: string;
	  }
	/** It was never meant to be one: data, a dotfile, a directory. */
	| { readonly kind: "other"; readonly path: string; readonly reason: string };

/** Looks at one file and says whether it becomes a tool, and if not why. Never throws. */
export async function inspectScript(scriptPath: string): Promise<ScriptInspection> {
	const path = resolve(scriptPath);
	const byName = noScriptByName(basename(path));
	if (byName !== undefined) return { kind: "other", path, reason: byName };
	try {
		return await inspectContent(path, (await readFileStart(path, HEAD_BYTES)).bytes);
	} catch (error) {
		if (error instanceof NotAFileError) return { kind: "other", path, reason: error.message };
		const reason = (error as NodeJS.ErrnoException).code ?? String(error);
		const name = shorten(basename(path), MAX_NAME_SHOWN);
		return { kind: "unusable", path, code: "script_unreadable", message: `${name} cannot be read (${reason}) and is no tool.` };
	}
}

async function inspectContent(path: string, head: Uint8Array): Promise<ScriptInspection> {
	const byContent = noScriptByContent(head);
	if (byContent !== undefined) return { kind: "other", path, reason: byContent };
	const { command, from } = chooseInterpreter(path, head);
	const executable = await isExecutable(path);
	const mustBeExecutable = config().scripts.requireExecutable || from === "binary";
	if (!executable && mustBeExecutable) return notExecutable(path);
	if (!executable && from === "default") return { kind: "other", path, reason: "it names no interpreter and has none by its extension" };
	const declaration = declaredParameters(path, head);
	return {
		kind: "script",
		path,
		description: describeScript(path, head),
		command: [...command, path],
		...(declaration && { declaration }),
	};
}

const notExecutable = (path: string): ScriptInspection => ({
	kind: "unusable",
	path,
	code: "script_not_executable",
	message: `${basename(path)} is not executable and is no tool. ${makeExecutable(path)} and load it anew, or set scripts.requireExecutable to false.`,
});
