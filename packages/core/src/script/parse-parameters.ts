import { describeValue } from "../text/describe-value.js";
import { type ParameterTag, parameterTags } from "./parameter-tags.js";
import { parseParameter } from "./parse-parameter.js";
import type { ParameterDeclaration, ParameterFlaw, ScriptParameter, ScriptParameters } from "./script-parameters.js";

/** Models get lost in more, and some providers refuse them. */
const MAX_TAGS = 100;
const MAX_FLAWS = 5;

/**
 * What the tags in a text declare; `undefined`: nothing. All or nothing: what is malformed anywhere makes the whole declaration one that does not count,
 * as a parameter that is left out would change what the script does.
 *
 * @param paragraphs The lines that may hold tags, comment marks taken off.
 * @param text Where these lines come from, for the line of a flaw.
 */
export function parseParameters(paragraphs: readonly (readonly string[])[], text: string): ParameterDeclaration | undefined {
	const tags = withLines(parameterTags(paragraphs).slice(0, MAX_TAGS + 1), text);
	if (tags.length === 0) return undefined;
	const beyond = tags[MAX_TAGS];
	if (beyond !== undefined) return refused([{ message: `It declares more than ${MAX_TAGS} parameters.`, line: beyond.line }]);
	const flaws: ParameterFlaw[] = [];
	const parameters: ScriptParameter[] = [];
	let input: ScriptParameters["input"] = "options";
	for (const found of tags) {
		const reason = whatIsWrong(found, parameters);
		const tag = found.misspelt ?? found.tag;
		if (reason !== undefined) flaws.push({ message: `@${tag} ${describeValue(found.text)}: ${reason}.`, line: found.line });
		else if (found.tag === "input") input = found.text as ScriptParameters["input"];
	}
	if (flaws.length > 0) return refused(flaws);
	return Object.freeze({ ok: true, parameters: Object.freeze({ input, parameters: Object.freeze(parameters) }) });
}

const refused = (flaws: readonly ParameterFlaw[]): ParameterDeclaration =>
	Object.freeze({ ok: false, flaws: Object.freeze(flaws.slice(0, MAX_FLAWS).map((flaw) => Object.freeze(flaw))) });

/** Tags come in the order of the lines, and each begins one. */
function withLines(tags: readonly ParameterTag[], text: string): readonly (ParameterTag & { readonly line: number })[] {
	const lines = tags.length === 0 ? [] : text.split(/\r\n|\n|\r/);
	let line = 0;
	return tags.map((found) => {
		while (line < lines.length && !lines[line]?.includes(found.written)) line++;
		return { ...found, line: ++line };
	});
}

/** Adds what a tag declares to the parameters, or says what is wrong with it. */
function whatIsWrong(found: ParameterTag, parameters: ScriptParameter[]): string | undefined {
	if (found.misspelt !== undefined) return `there is no such tag; write @${found.tag}`;
	return found.tag === "input" || found.tag === "cmd" ? otherTag(found) : take(found, parameters);
}

function otherTag({ tag, text }: ParameterTag): string | undefined {
	if (tag === "cmd") return "commands within a script cannot be declared; make a script of each";
	return text === "json" || text === "options" ? undefined : 'it must be "json" or "options"';
}

/** Adds a parameter, or says what is wrong with it. */
function take(tag: ParameterTag, parameters: ScriptParameter[]): string | undefined {
	const parameter = parseParameter(tag);
	if (typeof parameter === "string") return parameter;
	const reason = misplaced(parameter, parameters);
	if (reason === undefined) parameters.push(Object.freeze(parameter));
	return reason;
}

function misplaced(parameter: ScriptParameter, earlier: readonly ScriptParameter[]): string | undefined {
	const twin = earlier.find(({ name }) => comparableName(name) === comparableName(parameter.name));
	if (twin !== undefined) return `the name cannot be told from that of ${twin.name}`;
	if (parameter.kind !== "argument") return undefined;
	const last = earlier.findLast(({ kind }) => kind === "argument");
	if (last?.multiple) return `no @arg can follow ${last.name}, which takes all there are`;
	if (parameter.required && last !== undefined && !last.required) return `it must be given, and ${last.name} before it need not be`;
	return undefined;
}

/** The same for names that models, or a shell's variables, mix up: `--dry-run`, `dry_run`, `dryRun`. */
export const comparableName = (name: string): string => name.toLowerCase().replace(/[-_.]/g, "");
