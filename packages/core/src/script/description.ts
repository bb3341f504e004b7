import { basename, extname } from "node:path";
import { readFileStart } from "../paths/read-file-start.js";
import { headerComments } from "./comment-lines.js";
import { deriveName } from "./derive-name.js";
import { argumentParserDescription, docstringOf } from "./docstring.js";
import { firstStatement } from "./first-statement.js";
import { isProgram } from "./interpreter.js";

/** How much of a script is read to describe and to start it. */
export const HEAD_BYTES: number = 64 * 1024;
/**
 * What a script says it does: the first line that says something of a Python docstring or of the comments it begins with.
 * First line, encoding, licences, editors' directives and inline metadata are passed over. The derived name when there is
 * no such line or the file cannot be read. Reads the first 64 KiB at most, gives 1,024 characters at most, never throws.
 */
export async function extractDescription(scriptPath: string): Promise<string> {
	try {
		return describeScript(scriptPath, readFileStart(scriptPath, HEAD_BYTES).bytes);
	} catch {
		return deriveName(scriptPath);
	}
}

/** The same for a file whose beginning has been read. */
export function describeScript(scriptPath: string, head: Uint8Array): string {
	const found = isProgram(head) ? undefined : describeText(scriptPath, Buffer.from(head).toString("utf8"));
	return found ?? deriveName(scriptPath);
}

function describeText(scriptPath: string, text: string): string | undefined {
	const isPython = extname(scriptPath) === ".py" || /^#!.*python/.test(text);
	const docstring = isPython ? docstringOf(text) : undefined;
	const file = basename(scriptPath);
	return (
		(docstring && firstStatement(docstring, file)) ||
		firstStatement(headerComments(text), file) ||
		(isPython ? firstStatement(argumentParserDescription(text), file) : undefined)
	);
}
