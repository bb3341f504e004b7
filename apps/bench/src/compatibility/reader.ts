import { basename, extname } from "node:path";

const BY_EXTENSION: Readonly<Record<string, string>> = {
	".py": "python3",
	".sh": "bash",
	".bash": "bash",
	".zsh": "zsh",
	".js": "node",
	".mjs": "node",
	".cjs": "node",
	".ts": "node",
	".mts": "node",
	".rb": "ruby",
	".pl": "perl",
	".php": "php",
	".lua": "lua",
	".r": "Rscript",
	".ps1": "pwsh",
};
const SHELLS: ReadonlySet<string | undefined> = new Set(["bash", "sh", "dash"]);

/**
 * The program that is to read a script, as a person would say it who looks at its first line, and where there is none at its extension;
 * `undefined`: nobody could say. Stated without the rules that scripts are started by.
 */
export function readerOf(path: string, text: string): string | undefined {
	const line = /^#!\s*([^\r\n]*)/.exec(text)?.[1];
	if (line === undefined) return BY_EXTENSION[extname(path).toLowerCase()];
	const [first = "", ...rest] = line.split(/\s+/);
	if (basename(first) !== "env") return basename(first);
	const program = rest.find((word) => !word.startsWith("-") && !word.includes("="));
	return program === undefined ? undefined : basename(program);
}

/** Whether a command that ends in a script has its reader read it. */
export const isReadBy = (command: readonly string[], reader: string | undefined): boolean =>
	reader !== undefined && command.slice(0, -1).some((word) => basename(word) === reader);

/** Whether the rule of robot_lab for Ruby starts a script as it is meant: what has its executable bit is run by bash. */
export const worksInReference = (reader: string | undefined, mode: number): boolean => (mode & 0o111) !== 0 && SHELLS.has(reader);
