import { basename, extname } from "node:path";

const PYTHON: ReadonlySet<string> = new Set([".py"]);
const JAVASCRIPT: ReadonlySet<string> = new Set([".js", ".mjs", ".cjs", ".ts", ".mts", ".cts"]);

const STRINGS_OVER_LINES = /("""|''')[\s\S]*?\1/g;
/** A guard that only says that the file must not be run is none. */
const PYTHON_GUARD = /^if\s+\(?\s*(__name__\s*==|["']__main__["']\s*==).*(?!\s*\n\s+raise\s+(?!SystemExit\b))$/m;
/** What a module does at its outermost level that one which only defines things does not: loops, calls, and what reads the command line. */
const PYTHON_WORK = /^(for|while|with|await|assert|raise)\b|^[A-Za-z_][\w.]*\s*\(|^\S.*\bsys\.argv\b|^\S.*\binput\(/;
/** Calls by which a module sets things up for those who import it. */
const PYTHON_SETTING_UP = /^(sys\.path|logging|warnings|matplotlib|locale|random|np\.random|load_dotenv|register\w*|setattr)\b/;

const EXPORTS = /^\s*export\s|\bmodule\.exports\b|^exports\.\w/m;
const JAVASCRIPT_WORK = /\bprocess\.(argv|stdin|stdout|exit)\b|\brequire\.main\b|\bimport\.meta\.(main|url|filename)\b/;

/**
 * Whether a file is there for other scripts to import, by the look of its text: it defines things and does nothing. Python and JavaScript only; a
 * file of another language may always be a script. A name that begins with an underscore says it in any language. To be asked about files without first line and without executable bit, which say nothing about it.
 */
export function isLibrary(scriptPath: string, text: string): boolean {
	if (isPrivate(scriptPath)) return true;
	const extension = extname(scriptPath).toLowerCase();
	if (PYTHON.has(extension)) return !worksInPython(text);
	return JAVASCRIPT.has(extension) && EXPORTS.test(text) && !JAVASCRIPT_WORK.test(text);
}

/** Whether {@link isLibrary} can tell. */
export const mayBeLibrary = (scriptPath: string): boolean => {
	const extension = extname(scriptPath).toLowerCase();
	return isPrivate(scriptPath) || PYTHON.has(extension) || JAVASCRIPT.has(extension);
};

const isPrivate = (scriptPath: string): boolean => basename(scriptPath).startsWith("_");

function worksInPython(text: string): boolean {
	if (PYTHON_GUARD.test(text)) return true;
	const lines = text.replace(STRINGS_OVER_LINES, "").split(/\r\n|\n|\r/);
	return lines.some((line) => PYTHON_WORK.test(line) && !PYTHON_SETTING_UP.test(line));
}
