import { type Document, isMap, isScalar, LineCounter, type ParsedNode, parseDocument, visit, type YAMLError } from "yaml";
import { ConfigurationError } from "../errors/configuration-error.js";
import { messageOf } from "../text/message-of.js";
import { type FrontMatter, KeyLines } from "./front-matter.js";
import { FrontMatterFlaw } from "./front-matter-flaw.js";
import { toPlainValue } from "./plain-value.js";

/** What a YAML text says, and where its first two levels of keys stand. */
export interface ParsedYaml {
	readonly value: unknown;
	readonly lineOf: FrontMatter["lineOf"];
}

type YamlDocument = Document.Parsed<ParsedNode>;

const MAX_ALIASES = 100;
/** Deeper than what is taken of any text (`toPlainValue`). The parser takes a second for each of many thousands of brackets before it gives up. */
const MAX_BRACKETS = 100;

/**
 * Reads YAML 1.2 (core schema) as plain values: maps without a prototype, nothing shared, everything frozen. Tags other
 * than the core schema's, merge keys, doubled keys and more than 100 aliases are refused. Throws a {@link FrontMatterFlaw} that
 * names the line, with the parser's error as its cause.
 */
export function parseYaml(text: string): ParsedYaml {
	try {
		return readYaml(text);
	} catch (error) {
		if (FrontMatterFlaw.isInstance(error)) throw error;
		if (ConfigurationError.isInstance(error)) throw new FrontMatterFlaw("yaml_invalid", error.message);
		throw new FrontMatterFlaw("yaml_invalid", `its YAML cannot be read: ${messageOf(error)}. Simplify the front matter.`, { cause: error });
	}
}

function readYaml(text: string): ParsedYaml {
	assertShallow(text);
	const lineCounter = new LineCounter();
	const document = parseDocument(text, {
		schema: "core",
		version: "1.2",
		merge: false,
		resolveKnownTags: false,
		stringKeys: true,
		// both take time that grows with the square of the text
		uniqueKeys: false,
		prettyErrors: false,
		logLevel: "error",
		lineCounter,
	});
	// a tag that nothing resolves is only a warning to the parser
	const flaw = document.errors[0] ?? document.warnings[0];
	if (flaw !== undefined) throw syntaxError(flaw, document.errors, lineCounter);
	assertUniqueKeys(document, lineCounter);
	const value = toPlainValue(document.toJS({ mapAsMap: true, maxAliasCount: MAX_ALIASES }));
	return { value, lineOf: keyLines(document, lineCounter) };
}

function syntaxError(flaw: YAMLError, all: readonly YAMLError[], lineCounter: LineCounter): FrontMatterFlaw {
	const lineAt = (error: YAMLError): number => lineCounter.linePos(error.pos[0]).line;
	const line = lineAt(flaw);
	const unquotedLines = [...new Set(all.filter(({ code }) => code === "BLOCK_AS_IMPLICIT_KEY").map(lineAt))];
	const message = `line ${line} is no valid YAML: ${flaw.message}. ${nextStep(flaw.code)}`;
	return new FrontMatterFlaw("yaml_invalid", message, { cause: flaw, line, unquotedLines });
}

/** Counts brackets wherever they stand: nobody writes a hundred more that open than close, in a text either. */
function assertShallow(text: string): void {
	let depth = 0;
	for (const [bracket] of text.matchAll(/[[\]{}]/g)) {
		depth = bracket === "[" || bracket === "{" ? depth + 1 : Math.max(0, depth - 1);
		if (depth > MAX_BRACKETS)
			throw new FrontMatterFlaw("yaml_invalid", `its YAML opens more than ${MAX_BRACKETS} brackets within each other. Flatten it.`);
	}
}

function nextStep(code: YAMLError["code"]): string {
	if (code === "BLOCK_AS_IMPLICIT_KEY") return 'Put a value that contains ": " in quotes.';
	if (code === "TAB_AS_INDENT") return "Indent with blanks.";
	return code === "TAG_RESOLVE_FAILED" ? 'Put a value that starts with "!" in quotes.' : "Mend that line.";
}

function assertUniqueKeys(document: YamlDocument, lineCounter: LineCounter): void {
	visit(document, {
		Map: (_, map) => {
			const seen = new Set<unknown>();
			for (const { key } of map.items) {
				if (!isScalar(key)) continue;
				if (seen.has(key.value)) {
					const line = lineCounter.linePos(key.range?.[0] ?? 0).line;
					const message = `line ${line} has the key ${JSON.stringify(key.value)} a second time. Take one of the two out.`;
					throw new FrontMatterFlaw("yaml_invalid", message, { line });
				}
				seen.add(key.value);
			}
		},
	});
}

function keyLines(document: YamlDocument, lineCounter: LineCounter): FrontMatter["lineOf"] {
	const lines = new KeyLines();
	const note = (map: unknown, above?: string): void => {
		if (!isMap(map)) return;
		for (const { key, value } of map.items) {
			if (!isScalar(key) || !key.range) continue;
			const name = String(key.value);
			lines.set(above ?? name, above === undefined ? undefined : name, lineCounter.linePos(key.range[0]).line);
			if (above === undefined) note(value, name);
		}
	};
	note(document.contents);
	return lines.lineOf;
}
