import { basename, extname } from "node:path";
import { programOfEnv } from "./env-command.js";
import { parseShebang } from "./shebang.js";

/** How a script is started. */
export interface Interpreter {
	/** The words before the script's path; none for a program, which starts itself. Names without a slash are looked up in `PATH`. */
	readonly command: readonly string[];
	/** What decided: the script's first line, its extension, its being a program, or nothing, which makes it bash's. */
	readonly from: "shebang" | "extension" | "binary" | "default";
}

/** Nothing of the user's own settings is run before the script, and nobody is asked for what is missing. */
const PWSH = ["pwsh", "-NoProfile", "-NonInteractive", "-File"];

/** `node` by name, as the scripts' own first lines say it: the host's runtime may be another program altogether. */
const BY_EXTENSION: Readonly<Record<string, readonly string[]>> = {
	".py": ["python3"],
	".sh": ["bash"],
	".bash": ["bash"],
	".zsh": ["zsh"],
	".fish": ["fish"],
	".js": ["node"],
	".mjs": ["node"],
	".cjs": ["node"],
	".ts": ["node"],
	".mts": ["node"],
	".cts": ["node"],
	".rb": ["ruby"],
	".pl": ["perl"],
	".php": ["php"],
	".lua": ["lua"],
	".r": ["Rscript"],
	".jl": ["julia"],
	".ps1": PWSH,
};

const PROGRAM_MAGIC: ReadonlySet<string> = new Set(["7f454c46", "feedface", "feedfacf", "cefaedfe", "cffaedfe", "cafebabe"]);

/** Chooses by first line, then by extension, then bash. `head` is the beginning of the file. */
export function chooseInterpreter(scriptPath: string, head: Uint8Array): Interpreter {
	if (isProgram(head)) return { command: [], from: "binary" };
	const shebang = parseShebang(Buffer.from(head.subarray(0, 1024)).toString("utf8"));
	if (shebang !== undefined) return { command: shebang, from: "shebang" };
	const extension = extname(scriptPath).toLowerCase();
	const known = Object.hasOwn(BY_EXTENSION, extension) ? BY_EXTENSION[extension] : undefined;
	return known === undefined ? { command: ["bash"], from: "default" } : { command: known, from: "extension" };
}

/** The program that reads a script which is started by `command`: what `env` runs where that is the first word, as it is spelt there. */
export function interpreterOf(command: readonly string[]): string {
	const [program = "", ...rest] = command;
	return basename(program) === "env" ? (programOfEnv(rest)[0] ?? program) : program;
}

/** Whether a command has Python read the script. */
export const isPython = (command: readonly string[]): boolean => /^python(\d+(\.\d+)*)?$/.test(basename(interpreterOf(command)));

/** Whether a file is a program of its own: ELF or Mach-O. */
export function isProgram(head: Uint8Array): boolean {
	return PROGRAM_MAGIC.has(Buffer.from(head.subarray(0, 4)).toString("hex"));
}
