import { basename, extname } from "node:path";

const PYTHON: ReadonlySet<string> = new Set([".py"]);
const JAVASCRIPT: ReadonlySet<string> = new Set([".js", ".mjs", ".cjs", ".ts", ".mts", ".cts"]);

/*
 * The texts are strangers', up to a megabyte of them, and are looked at before anybody said that they may be: no expression may begin anew within what
 * it has just read. So each is anchored, or takes in once and for all what it matched.
 */
const PYTHON_TEXTS = /#[^\r\n]*|("""|''')[\s\S]*?(?:\1|$)|"(?:[^"\\\r\n]|\\[\s\S])*"?|'(?:[^'\\\r\n]|\\[\s\S])*'?/g;
const JAVASCRIPT_TEXTS =
	/\/\/[^\r\n]*|\/\*[\s\S]*?(?:\*\/|$)|`(?:[^`\\]|\\[\s\S])*`?|"(?:[^"\\\r\n]|\\[\s\S])*"?|'(?:[^'\\\r\n]|\\[\s\S])*'?/g;

const GUARD = /^if\b[\s(]*(__name__\s*==|["']__main__["']\s*==)/;
/** A guard that only says that the file must not be run is none. */
const FORBIDS = /^\s+raise\b(?!\s+SystemExit\b)/;
/** What stands below `except` is done where something is missing. */
const PYTHON_BLOCK = /^(if|elif|else|try|finally)\b.*:\s*$/;
const DEFINITION = /^(def|class|async\s+def)\b/;
/** What a module does at its outermost level that one which only defines things does not: loops, calls, and what reads the command line. */
const PYTHON_WORK =
	/^(for|while|with|await|assert|async\s+(for|with))\b|^(?!(if|elif|except|del|not|lambda)\b)[A-Za-z_][\w.]*\s*\(|^\S.*\b(sys\.argv\b|sys\.stdin\b|subprocess\.\w+\(|os\.system\(|ArgumentParser\(|input\()/;
/** Calls by which a module sets things up for those who import it. */
const PYTHON_SETTING_UP = /^(sys\.path|logging|warnings|matplotlib|locale|random|np\.random|load_dotenv|register\w*|setattr)\b/;
/** A call whose result is kept. In a module that defines nothing it is what the module does; a constant's name is in capitals. */
const KEPT_CALL = /^[a-z_]\w*\s*=\s*(await\s+)?[A-Za-z_][\w.]*\s*\(/;

const EXPORTS = /^[ \t]*export\s|\bmodule\.exports\b|^exports\.\w/m;
const JAVASCRIPT_LOOKS_AROUND = /\bprocess\.(argv|stdin|stdout|exit)\b|\brequire\.main\b|\bimport\.meta\.(main|url|filename)\b/;
const JAVASCRIPT_BLOCK = /^(\}\s*)?(if|else|try|finally|for|while|do)\b.*\{\s*$/;
/** The same of JavaScript: calls, and functions that are called where they stand. */
const JAVASCRIPT_WORK =
	/^(await|void)\b|^[;!+]?\(\s*(async\b|\(\)\s*=>|function\s*\(\s*\))|^(?!(if|for|while|switch|catch|function|async|import|super)\b)[A-Za-z_$][\w$.]*\s*\(|^(const|let|var)\s[^=]*=\s*await\b/;
const JAVASCRIPT_SETTING_UP = /^(require|define\w*|register\w*|extend\w*|customElements\.define|Object\.\w+|Reflect\.\w+)\s*\(/;

/**
 * Whether a file is there for other scripts to import, by the look of its text: it defines things and does nothing. Python and JavaScript only; a
 * file of another language may always be a script. A name that begins with an underscore says it in any language. To be asked about files without first line and without executable bit, which say nothing about it.
 */
export function isLibrary(scriptPath: string, text: string): boolean {
	if (isPrivate(scriptPath)) return true;
	const extension = extname(scriptPath).toLowerCase();
	if (PYTHON.has(extension)) return !worksInPython(text);
	return JAVASCRIPT.has(extension) && exportsAlone(text);
}

/** Whether {@link isLibrary} can tell. */
export const mayBeLibrary = (scriptPath: string): boolean => {
	const extension = extname(scriptPath).toLowerCase();
	return isPrivate(scriptPath) || PYTHON.has(extension) || JAVASCRIPT.has(extension);
};

const isPrivate = (scriptPath: string): boolean => basename(scriptPath).startsWith("_");

/** With empty texts, but for the one that guards compare with: what texts and comments say is not done. */
const withoutTexts = (text: string, texts: RegExp): readonly string[] =>
	text
		.replace(/^\uFEFF/, "")
		.replace(texts, (found) => (/^["'`]/.test(found) && !/^"""|^'''/.test(found) ? (found.includes("__main__") ? found : '""') : ""))
		.split(/\r\n|\n|\r/)
		.filter((line) => line.trim() !== "");

function worksInPython(text: string): boolean {
	const lines = withoutTexts(text, PYTHON_TEXTS);
	if (lines.some((line, index) => GUARD.test(line) && !FORBIDS.test(lines[index + 1] ?? ""))) return true;
	const outermost = outermostStatements(lines, PYTHON_BLOCK);
	if (outermost.some((statement) => PYTHON_WORK.test(statement) && !PYTHON_SETTING_UP.test(statement))) return true;
	return !outermost.some((statement) => DEFINITION.test(statement)) && outermost.some((statement) => KEPT_CALL.test(statement));
}

function exportsAlone(text: string): boolean {
	const lines = withoutTexts(text, JAVASCRIPT_TEXTS);
	const code = lines.join("\n");
	if (!EXPORTS.test(code) || JAVASCRIPT_LOOKS_AROUND.test(code)) return false;
	const outermost = outermostStatements(lines, JAVASCRIPT_BLOCK);
	return !outermost.some((statement) => JAVASCRIPT_WORK.test(statement) && !JAVASCRIPT_SETTING_UP.test(statement));
}

/** What is done when a module is imported, by the lines' indents: what stands in functions and classes is not, what stands in a block of these is. */
function outermostStatements(lines: readonly string[], block: RegExp): readonly string[] {
	const statements: string[] = [];
	let innermost = Number.POSITIVE_INFINITY;
	for (const line of lines) {
		const statement = line.trimStart();
		const indent = line.length - statement.length;
		if (indent > innermost) continue;
		statements.push(...statement.split(/;\s/));
		innermost = block.test(statement) ? Number.POSITIVE_INFINITY : indent;
	}
	return statements;
}
