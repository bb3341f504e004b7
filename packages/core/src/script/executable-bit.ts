import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { shellQuoted } from "../text/shell-quote.js";

/** Whether this process may execute a file. */
export async function isExecutable(path: string): Promise<boolean> {
	try {
		await access(path, constants.X_OK);
		return true;
	} catch {
		return false;
	}
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL_CHARACTERS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;

/** What to do about a file that is not executable. People paste it into a shell, so the path is quoted for one; it stays one line. */
export function makeExecutable(path: string): string {
	return CONTROL_CHARACTERS.test(path) ? "Set its executable bit" : `Run: chmod +x ${shellQuoted(path)}`;
}
