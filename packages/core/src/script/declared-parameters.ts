import { extname } from "node:path";
import { leadingComments } from "./comment-lines.js";
import { docstringOf } from "./docstring.js";
import { isProgram } from "./interpreter.js";
import { parseParameters } from "./parse-parameters.js";
import type { ParameterDeclaration } from "./script-parameters.js";

const TAGS = ["@option", "@flag", "@arg", "@input", "@cmd"];

/** What a script declares in the comments it begins with, or in its Python docstring; `undefined`: nothing. `head` is the beginning of the file. */
export function declaredParameters(scriptPath: string, head: Uint8Array): ParameterDeclaration | undefined {
	const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength);
	if (isProgram(head) || !TAGS.some((tag) => bytes.includes(tag))) return undefined;
	const text = bytes.toString("utf8");
	const isPython = extname(scriptPath) === ".py" || /^#!.*python/.test(text);
	return parseParameters([...leadingComments(text), ...((isPython && docstringOf(text)) || [])], text);
}
