import { accessSync, closeSync, constants, openSync, readSync, statSync } from "node:fs";
import { delimiter, resolve } from "node:path";

/** Where a program lies, or why it cannot be started. */
export type ProgramSearch = { readonly path: string } | { readonly code: "ENOENT" | "EACCES"; readonly message: string };

/**
 * Looks a program up as the system would start it: a name with a slash is a path, any other is searched in `searchPath`.
 *
 * @param cwd The directory relative names start from.
 * @param searchPath Directories separated by colons, as in `PATH`.
 */
export function findProgram(name: string, cwd: string, searchPath: string): ProgramSearch {
	const candidates = name.includes("/")
		? [resolve(cwd, name)]
		: searchPath.split(delimiter).map((directory) => resolve(cwd, directory, name));
	let denied: string | undefined;
	for (const path of candidates) {
		const access = accessOf(path);
		if (access === "granted") return missingInterpreter(path, cwd) ?? { path };
		// A directory of PATH that may not be searched tells nothing of the program.
		if (access === "denied" || (access === "unreachable" && name.includes("/"))) denied ??= path;
	}
	if (denied !== undefined) return { code: "EACCES", message: `${JSON.stringify(denied)} is not an executable file` };
	const where = name.includes("/") ? "there is no such file" : "it is in no directory of PATH";
	return { code: "ENOENT", message: `the program ${JSON.stringify(name)} was not found: ${where}` };
}

function accessOf(path: string): "granted" | "denied" | "unreachable" | "missing" {
	let exists = false;
	try {
		// Most directories of PATH do not have the program, and an error costs more to make than the look-up.
		const stats = statSync(path, { throwIfNoEntry: false });
		if (stats === undefined) return "missing";
		exists = true;
		if (!stats.isFile()) return "denied";
		accessSync(path, constants.X_OK);
		return "granted";
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code !== "EACCES") return "missing";
		return exists ? "denied" : "unreachable";
	}
}

function missingInterpreter(path: string, cwd: string): ProgramSearch | undefined {
	const interpreter = /^#![ \t]*([^ \t\n]+)/.exec(firstBytes(path))?.[1];
	if (interpreter === undefined || accessOf(resolve(cwd, interpreter)) !== "missing") return undefined;
	return { code: "ENOENT", message: `the interpreter ${JSON.stringify(interpreter)} of ${JSON.stringify(path)} was not found` };
}

function firstBytes(path: string): string {
	try {
		const fd = openSync(path, "r");
		const bytes = Buffer.allocUnsafe(256);
		try {
			return bytes.toString("latin1", 0, readSync(fd, bytes));
		} finally {
			closeSync(fd);
		}
	} catch {
		return "";
	}
}
