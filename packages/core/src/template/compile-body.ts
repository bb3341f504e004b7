import mustache from "mustache";
import { ConfigurationError } from "../errors/configuration-error.js";
import { describeValue } from "../text/describe-value.js";

/** What mustache makes of a text: kind, name or text, begin, end, and of a section what is in it. */
export type BodyToken = [kind: string, name: string, begin: number, end: number, inside?: BodyToken[], close?: number];

/** The text of a template, ready to be filled in. */
export interface TemplateBody {
	readonly tokens: readonly BodyToken[];
	/** Variables that stand outside of every section: without a value each would leave a hole. */
	readonly needed: ReadonlySet<string>;
	/** Every variable and section there is. */
	readonly named: ReadonlySet<string>;
}

const MAX_LEVELS = 32;
/** Mustache looks for the end of a tag in time that grows with the square of the blanks in it. */
const MAX_TAG_CHARACTERS = 500;

const NAME = /^(?:\.|[\p{L}_][\p{L}\p{N}_-]*(?:\.[\p{L}\p{N}_-]+)*)$/u;

/** Whether a value can be written as `{{name}}`. */
export const isParameterName = (name: string): boolean => name !== "." && !name.includes(".") && NAME.test(name);

/**
 * Reads the text below the front matter. Throws a ConfigurationError that names the line, without the file's name, for what is no
 * variable, section or comment.
 *
 * @param firstLine The line of the file that the text begins in, from 1.
 */
export function compileBody(text: string, firstLine: number): TemplateBody {
	const flaw = (at: number, problem: string, cause?: unknown): ConfigurationError => {
		const line = firstLine + text.slice(0, at).split("\n").length - 1;
		return new ConfigurationError(`line ${line} ${problem}`, cause === undefined ? {} : { cause });
	};
	checkTags(text, flaw);
	const tokens = parse(text, flaw);
	const needed = new Set<string>();
	const named = new Set<string>();
	const walk = (inside: readonly BodyToken[], level: number): void => {
		for (const [kind, name, begin, , below] of inside) {
			if (kind === "text" || kind === "!") continue;
			if (!NAME.test(name)) throw flaw(begin, `has ${describeValue(name)} between {{ and }}, which is no variable's name. ${LITERAL}`);
			const [first = ""] = name.split(".");
			if (first !== "") named.add(first);
			if (below === undefined && level === 0 && first !== "") needed.add(first);
			if (level === MAX_LEVELS) throw flaw(begin, `is in more than ${MAX_LEVELS} sections. Take some of them apart.`);
			walk(below ?? [], level + 1);
		}
	};
	walk(tokens, 0);
	return { tokens: withoutNotes(tokens), needed, named };
}

const LITERAL = "To have braces in the text, give them by a parameter: \"open: '{{'\" and {{open}}.";

type Flaw = (at: number, problem: string, cause?: unknown) => ConfigurationError;

/** Looks at every tag before mustache does, which takes no offence at what it does not know. */
function checkTags(text: string, flaw: Flaw): void {
	for (let open = text.indexOf("{{"); open !== -1; ) {
		const close = text.indexOf("}}", open + 2);
		if (close === -1 || close - open > MAX_TAG_CHARACTERS) {
			const where = close === -1 ? "" : ` within ${MAX_TAG_CHARACTERS} characters`;
			throw flaw(open, `has a {{ that no }} closes${where}. Close it. ${LITERAL}`);
		}
		const kind = text.slice(open + 2, close).trimStart()[0];
		if (kind === "{" && !text.startsWith("}}}", close))
			throw flaw(open, "has a {{{ that no }}} closes. Write {{ and }}: nothing is escaped.");
		if (kind === ">") throw flaw(open, "asks for another template by {{>. Name it in the front matter: skills: [its id].");
		if (kind === "=") throw flaw(open, "gives variables other marks than {{ and }}. Write it with these.");
		open = text.indexOf("{{", close + 2);
	}
}

/** A note in a list would be passed over as often as the list is long. */
function withoutNotes(tokens: readonly BodyToken[]): BodyToken[] {
	const rest = tokens.filter(([kind]) => kind !== "!");
	for (const token of rest) if (token[4] !== undefined) token[4] = withoutNotes(token[4]);
	return rest;
}

class Parser extends mustache.Writer {
	/** None: a parsed template is kept by whoever asked for it. */
	readonly templateCache: undefined = undefined;
}

function parse(text: string, flaw: Flaw): BodyToken[] {
	try {
		return new Parser().parse(text, ["{{", "}}"]) as BodyToken[];
	} catch (error) {
		// "Unclosed section "x" at 12", the place in characters
		const [, problem = String(error), at = "0"] = /^(.*) at (\d+)$/s.exec(error instanceof Error ? error.message : "") ?? [];
		throw flaw(Number(at), `is wrong: ${problem}. Every {{#name}} and {{^name}} needs a {{/name}}.`, error);
	}
}
