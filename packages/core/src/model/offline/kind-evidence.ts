import type { OfferedTool } from "./offered-tool.js";
import { type Parameter, parametersOf } from "./parameter.js";
import { roleOf } from "./role.js";
import { type Token, tokensOf } from "./tokens.js";

/** Numbers joined by arithmetic signs. */
export const ARITHMETIC: RegExp = /[-(√]*\d[\d.,]*%?\)*(?:\s*(?:\*\*|[-+*/×÷^%x])\s*[-(√]*\d[\d.,]*%?\)*)+/i;

const SOME = 0.15;
const ALL = 0.3;
const TELLING = 0.5;

/**
 * How much the values in a message speak for a tool: some for one required argument that is plain to see (a path, an address), more
 * when all are and one is of a kind few things are (arithmetic, a schema's own pattern), or when the message has nothing else.
 */
export function kindEvidence(tool: OfferedTool, message: string, nothingElse: boolean): number {
	const required = parametersOf(tool.parameters).filter((parameter) => parameter.required);
	const tokens = tokensOf(message);
	const seen = required.filter((parameter) => isSeen(parameter, tokens, message));
	const telling = seen.some((parameter) => parameter.pattern !== undefined || roleOf(parameter) === "expression");
	const all = seen.length > 0 && seen.length === required.length;
	if (all && telling) return TELLING;
	if (all && nothingElse) return ALL;
	return seen.some(({ type }) => type === "string" || type === "array") ? SOME : 0;
}

function isSeen(parameter: Parameter, tokens: readonly Token[], message: string): boolean {
	const { type, pattern } = parameter;
	if (type === "number" || type === "integer") return tokens.some(({ kind }) => kind === "number");
	if (pattern !== undefined) return tokens.some(({ text }) => pattern.test(text));
	const role = roleOf(parameter);
	return role === "expression" ? ARITHMETIC.test(message) : tokens.some(({ kind }) => kind === role);
}
