import { isScalar, LineCounter, parseDocument, visit, type YAMLError } from "yaml";
import { ConfigurationError } from "../errors/configuration-error.js";
import { messageOf } from "../text/message-of.js";
import { toPlainValue } from "./plain-value.js";

const MAX_ALIASES = 100;

/**
 * Reads YAML 1.2 (core schema) as plain values: maps without a prototype, nothing shared, everything frozen. Tags other
 * than the core schema's, merge keys, doubled keys and more than 100 aliases are refused. Throws a ConfigurationError that
 * names the line, with the parser's error as its cause.
 */
export function parseYaml(text: string): unknown {
	try {
		return readYaml(text);
	} catch (error) {
		if (ConfigurationError.isInstance(error)) throw error;
		throw new ConfigurationError(`its YAML cannot be read: ${messageOf(error)}. Simplify the front matter.`, { cause: error });
	}
}

function readYaml(text: string): unknown {
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
	if (flaw !== undefined) throw syntaxError(flaw, lineCounter);
	assertUniqueKeys(document, lineCounter);
	return toPlainValue(document.toJS({ mapAsMap: true, maxAliasCount: MAX_ALIASES }));
}

function syntaxError(flaw: YAMLError, lineCounter: LineCounter): ConfigurationError {
	const line = lineCounter.linePos(flaw.pos[0]).line;
	return new ConfigurationError(`line ${line} is no valid YAML: ${flaw.message}. ${nextStep(flaw.code)}`, { cause: flaw });
}

function nextStep(code: YAMLError["code"]): string {
	if (code === "BLOCK_AS_IMPLICIT_KEY") return 'Put a value that contains ": " in quotes.';
	if (code === "TAB_AS_INDENT") return "Indent with blanks.";
	return code === "TAG_RESOLVE_FAILED" ? 'Put a value that starts with "!" in quotes.' : "Mend that line.";
}

function assertUniqueKeys(document: Parameters<typeof visit>[0], lineCounter: LineCounter): void {
	visit(document, {
		Map: (_, map) => {
			const seen = new Set<unknown>();
			for (const { key } of map.items) {
				if (!isScalar(key)) continue;
				if (seen.has(key.value)) {
					const line = lineCounter.linePos(key.range?.[0] ?? 0).line;
					throw new ConfigurationError(`line ${line} has the key ${JSON.stringify(key.value)} a second time. Take one of the two out.`);
				}
				seen.add(key.value);
			}
		},
	});
}
