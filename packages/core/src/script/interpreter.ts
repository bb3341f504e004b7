import { extname } from "node:path";
import { parseShebang } from "./shebang.js";

/** How a script is started. */
export interface Interpreter {
	/** The words before the script's path; none for a program, which starts itself. Names without a slash are looked up in `PATH`. */
	readonly command: readonly string[];
	/** What decided: the script's first line, its extension, its being a program, or nothing, which makes it bash's. */
	readonly from: "shebang" | "extension" | "binary" | "default";
}

/** `node` by name, as the scripts' own first lines say it: the host's runtime may be another program altogether. */
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
	".ps1": "pwsh",
};

const PROGRAM_MAGIC: ReadonlySet<string> = new Set(["7f454c46", "feedface", "feedfacf", "cefaedfe", "cffaedfe", "cafebabe"]);

/** Chooses by first line, then by extension, then bash. `head` is the beginning of the file. */
export function chooseInterpreter(scriptPath: string, head: Uint8Array): Interpreter {
	if (isProgram(head)) return { command: [], from: "binary" };
	const shebang = parseShebang(Buffer.from(head.subarray(0, 1024)).toString("utf8"));
	if (shebang !== undefined) return { command: shebang, from: "shebang" };
	const extension = extname(scriptPath).toLowerCase();
	const known = Object.hasOwn(BY_EXTENSION, extension) ? BY_EXTENSION[extension] : undefined;
	return known === undefined ? { command: ["bash"], from: "default" } : { command: [known], from: "extension" };
}

/** Whether a file is a program of its own: ELF or Mach-O. */
export function isProgram(head: Uint8Array): boolean {
	return PROGRAM_MAGIC.has(Buffer.from(head.subarray(0, 4)).toString("hex"));
}
