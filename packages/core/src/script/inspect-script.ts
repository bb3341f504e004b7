import { basename, resolve } from "node:path";
import { config } from "../config/configure.js";
import { LeadsOutError } from "../paths/opened-within.js";
import { NotAFileError, readFileStart } from "../paths/read-file-start.js";
import { shorten } from "../text/shorten.js";
import { declaredParameters } from "./declared-parameters.js";
import { describeScript, HEAD_BYTES } from "./description.js";
import { isExecutable, makeExecutable } from "./executable-bit.js";
import { type ReadMetadata, readInlineMetadata } from "./inline-metadata.js";
import { chooseInterpreter, isPython } from "./interpreter.js";
import { isLibrary, mayBeLibrary } from "./library.js";
import { noScriptByContent, noScriptByName, noScriptWithoutInterpreter } from "./no-script.js";
import type { ParameterDeclaration } from "./script-parameters.js";
import { runsThroughUv, THROUGH_UV } from "./through-uv.js";

const MAX_NAME_SHOWN = 255;
const MAX_LIBRARY_BYTES = 1024 * 1024;

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
			/** What a Python script's own comments say it needs (PEP 723). Absent where they say nothing of it. */
			readonly inlineMetadata?: ReadMetadata;
	  }
	/** It looks like a script and does not become a tool; somebody has to do something about it. */
	| {
			readonly kind: "unusable";
			readonly path: string;
			readonly code: "script_not_executable" | "script_outside_bundle" | "script_unreadable";
			readonly message: string;
	  }
	/** It was never meant to be one: data, a dotfile, a directory. */
	| { readonly kind: "other"; readonly path: string; readonly reason: string };

export interface InspectOptions {
	/** Whether it lies deeper than directly in `scripts/`, where libraries do: then it takes a first line, an executable bit or what it does to be a script. */
	readonly nested?: boolean;
	/** The real path of its bundle; a file that lies elsewhere is not read. Default: it may lie anywhere. */
	readonly within?: string | undefined;
}

/** Looks at one file and says whether it becomes a tool, and if not why. Never throws. */
export async function inspectScript(scriptPath: string, options: InspectOptions = {}): Promise<ScriptInspection> {
	const path = resolve(scriptPath);
	const byName = noScriptByName(basename(path));
	if (byName !== undefined) return { kind: "other", path, reason: byName };
	try {
		const { bytes, size } = readFileStart(path, HEAD_BYTES, options.within);
		return await inspectContent(path, bytes, { ...options, isWhole: bytes.length === size });
	} catch (error) {
		if (error instanceof LeadsOutError) return outsideBundle(path);
		if (error instanceof NotAFileError) return { kind: "other", path, reason: error.message };
		const reason = (error as NodeJS.ErrnoException).code ?? String(error);
		const name = shorten(basename(path), MAX_NAME_SHOWN);
		return {
			kind: "unusable",
			path,
			code: "script_unreadable",
			message: `${name} cannot be read (${reason}) and is no tool. Change its permissions or put the file back.`,
		};
	}
}

interface Beginning extends InspectOptions {
	readonly isWhole: boolean;
}

async function inspectContent(path: string, head: Uint8Array, beginning: Beginning): Promise<ScriptInspection> {
	const byContent = noScriptByContent(head);
	if (byContent !== undefined) return { kind: "other", path, reason: byContent };
	const { command, from } = chooseInterpreter(path, head);
	const withoutInterpreter = from === "default" ? noScriptWithoutInterpreter(basename(path)) : undefined;
	if (withoutInterpreter !== undefined) return { kind: "other", path, reason: withoutInterpreter };
	const executable = isExecutable(path);
	if (!executable && from === "extension") {
		if (isForOthers(path, head, beginning)) return { kind: "other", path, reason: LIBRARY };
		if (beginning.nested && !mayBeLibrary(path)) return notExecutable(path, UNTOLD);
	}
	const mustBeExecutable = config().scripts.requireExecutable || from === "binary";
	if (!executable && mustBeExecutable) return notExecutable(path);
	if (!executable && from === "default") return { kind: "other", path, reason: "it names no interpreter and has none by its extension" };
	const declaration = declaredParameters(path, head);
	const inlineMetadata = isPython(command) || runsThroughUv([...command, path]) ? await readInlineMetadata(textOf(head)) : undefined;
	return {
		kind: "script",
		path,
		description: describeScript(path, head),
		command: [...(inlineMetadata?.ok && isPython(command) && config().scripts.pep723 === "uv" ? THROUGH_UV : command), path],
		...(declaration && { declaration }),
		...(inlineMetadata && { inlineMetadata }),
	};
}

/** What a file does may stand at its end only. */
function isForOthers(path: string, head: Uint8Array, { isWhole, within }: Beginning): boolean {
	if (!isLibrary(path, textOf(head))) return false;
	return isWhole || isLibrary(path, textOf(readFileStart(path, MAX_LIBRARY_BYTES, within).bytes));
}

const textOf = (bytes: Uint8Array): string => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");

/** What lies outside of a bundle is not what somebody looked at, pinned or trusted with it. */
export const outsideBundle = (path: string): ScriptInspection => ({
	kind: "unusable",
	path,
	code: "script_outside_bundle",
	message: `${shorten(basename(path), MAX_NAME_SHOWN)} is a link that leads out of the bundle; it is not read and is no tool. Put the file itself there.`,
});

const LIBRARY =
	"it is a library: it defines things for other scripts and does nothing itself. If it is to be a tool, make it executable or begin it with a line that names its interpreter";
const ANY_LOST = "or set scripts.require_executable to false: archives and copies often lose the bit";
/** Without the bit, of a language of which nobody looks at what a file does. */
const UNTOLD = "or begin it with a line that names its interpreter: so deep in scripts/ it may as well be for other scripts";

const notExecutable = (path: string, otherwise = ANY_LOST): ScriptInspection => ({
	kind: "unusable",
	path,
	code: "script_not_executable",
	message: `${basename(path)} is not executable and is no tool. ${makeExecutable(path)} and load it anew, ${otherwise}.`,
});
