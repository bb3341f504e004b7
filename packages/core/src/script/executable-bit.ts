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

/** More would be no line that anybody reads. */
const MAX_NAMES = 20;

/** The same for several files of a directory, in words that go on in a sentence. */
export function makeAllExecutable(directory: string, names: readonly string[]): string {
	const more = names.length > MAX_NAMES ? ` and the same for ${names.length - MAX_NAMES} more` : "";
	const files = names.slice(0, MAX_NAMES).map((name) => shellQuoted(`./${name}`));
	return `run: cd ${shellQuoted(directory)} && chmod +x ${files.join(" ")}${more}`;
}
