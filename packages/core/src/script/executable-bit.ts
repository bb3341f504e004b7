import { accessSync, constants } from "node:fs";
import { shellQuoted } from "../text/shell-quote.js";

/** Whether this process may execute a file. */
export function isExecutable(path: string): boolean {
	try {
		accessSync(path, constants.X_OK);
		return true;
	} catch {
		return false;
	}
}

/** What to do about a file that is not executable, as people paste it into a shell. */
export const makeExecutable = (path: string): string => `Run: chmod +x ${shellQuoted(path)}`;
