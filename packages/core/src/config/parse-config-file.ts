import { type Document, isAlias, isMap, isScalar, LineCounter, type Node, type Pair, parseDocument, type YAMLMap } from "yaml";
import { ConfigurationError } from "../errors/configuration-error.js";
import { describeValue } from "../text/describe-value.js";
import { flawText } from "./checks.js";
import type { WrittenSetting } from "./config-origin.js";
import { ALL_ENVIRONMENTS, USUAL_ENVIRONMENTS } from "./environment-name.js";
import { SECTION_NAMES, SETTINGS } from "./settings.js";
import type { UnknownSetting } from "./unknown-settings.js";

/** What is parsed, and for whom. */
export interface ConfigText {
	readonly text: string;
	readonly path: string;
	readonly layer: "user" | "project";
	/** The environment whose section counts. */
	readonly environment: string;
}

/** What a file sets. */
export interface ParsedConfig {
	/** In the order in which they count: of a setting that is there twice the later one. */
	readonly settings: readonly WrittenSetting[];
	readonly unknown: readonly UnknownSetting[];
}

/** How often one value may be repeated by aliases, in all. */
const MAX_ALIASES = 100;

/**
 * Reads a file of settings: YAML 1.2, core schema, nothing executed. Throws a ConfigurationError that names the file, the line and
 * what to do, for what is no YAML, has a key twice or a tag, is no map, or has a value that a setting does not take.
 */
export function parseConfigFile(file: ConfigText): ParsedConfig {
	try {
		return new ConfigFileParser(file).parse();
	} catch (error) {
		if (ConfigurationError.isInstance(error)) throw error;
		// What is nested without end, and aliases that repeat too much, are errors of the parser's own kinds.
		throw new ConfigurationError(`${file.path} cannot be read as YAML: ${error instanceof Error ? error.message : error}. Simplify it.`, {
			cause: error,
		});
	}
}

/** Where the parser is: in which environment's section, and below which keys. */
interface Place {
	readonly environment?: string;
	/** With a dot behind it, or empty at the top. */
	readonly prefix: string;
}

class ConfigFileParser {
	readonly #file: ConfigText;
	readonly #lines = new LineCounter();
	readonly #document: Document.Parsed;
	readonly #settings: WrittenSetting[] = [];
	readonly #unknown: UnknownSetting[] = [];

	constructor(file: ConfigText) {
		this.#file = file;
		this.#document = parseDocument(file.text, {
			// Whose schema is the core one, without merge keys.
			version: "1.2",
			resolveKnownTags: false,
			stringKeys: true,
			// It compares each key with each other; what is twice is found below.
			uniqueKeys: false,
			// They would quote the line, and what stands in it may be a secret.
			prettyErrors: false,
			logLevel: "error",
			lineCounter: this.#lines,
		});
	}

	parse(): ParsedConfig {
		// A tag that nothing resolves is only a warning to the parser.
		const flaw = this.#document.errors[0] ?? this.#document.warnings[0];
		if (flaw !== undefined) throw this.#error(flaw.pos[0], `is no valid YAML: ${flaw.message}`, "Mend that line.", flaw);
		const { contents } = this.#document;
		if (contents !== null && !(isScalar(contents) && contents.value === null)) this.#readTop(this.#map(contents, "the file"));
		return { settings: this.#inOrder(), unknown: this.#unknown };
	}

	#readTop(map: YAMLMap): void {
		const environments = new Set([ALL_ENVIRONMENTS, this.#file.environment, ...USUAL_ENVIRONMENTS]);
		for (const pair of this.#pairs(map)) {
			const key = keyOf(pair);
			const value = this.#resolved(pair);
			if (!environments.has(key)) this.#readPair(pair, { prefix: "" });
			else if (value !== undefined) this.#readMap(this.#map(value, key), { environment: key, prefix: "" });
		}
	}

	#readMap(map: YAMLMap, place: Place): void {
		for (const pair of this.#pairs(map)) this.#readPair(pair, place);
	}

	#readPair(pair: Pair, { environment, prefix }: Place): void {
		const name = `${prefix}${keyOf(pair)}`;
		const value = this.#resolved(pair);
		const setting = SETTINGS.get(name);
		const line = this.#lineOf(pair.key);
		if (setting !== undefined && value !== undefined) {
			const origin = { layer: this.#file.layer, path: this.#file.path, line, ...(environment !== undefined && { environment }) };
			this.#settings.push({ name, value: this.#checked(value, name), origin });
		} else if (SECTION_NAMES.has(name)) {
			if (value !== undefined)
				this.#readMap(this.#map(value, name), { ...(environment !== undefined && { environment }), prefix: `${name}.` });
		} else if (setting === undefined) {
			const written = environment === undefined ? name : `${environment}.${name}`;
			this.#unknown.push({ name, written, where: `line ${line}`, holds: isMap(value) ? value.items.map(keyOf) : [] });
		}
	}

	#checked(node: Node, name: string): unknown {
		const value: unknown = node.toJS(this.#document, { maxAliasCount: MAX_ALIASES });
		const check = SETTINGS.get(name)?.check;
		const flaw = check === undefined ? undefined : flawText(value, check);
		if (flaw !== undefined) throw this.#error(node, `${name} ${flaw}`, "Correct it there.");
		return value;
	}

	/** What the key is given, behind an alias too; nothing where it is left empty. */
	#resolved(pair: Pair): Node | undefined {
		const node = pair.value as Node | null;
		const value = isAlias(node) ? node.resolve(this.#document) : node;
		if (value === undefined) throw this.#error(node, "is an alias of nothing", "Write the value itself.");
		return value === null || (isScalar(value) && value.value === null) ? undefined : value;
	}

	#map(node: Node, what: string): YAMLMap {
		if (isMap(node)) return node;
		const value = isScalar(node) ? describeValue(node.value) : "a list";
		throw this.#error(node, `${what} must be a map of settings, not ${value}`, "Write it as name: value, one a line.");
	}

	#pairs(map: YAMLMap): readonly Pair[] {
		const seen = new Set<string>();
		for (const pair of map.items) {
			if (seen.has(keyOf(pair)))
				throw this.#error(pair.key, `has the key ${JSON.stringify(keyOf(pair))} a second time`, "Take one of the two out.");
			seen.add(keyOf(pair));
		}
		return map.items;
	}

	/** What counts everywhere first, the environment's own last; of other environments nothing. */
	#inOrder(): readonly WrittenSetting[] {
		const inSection = (name: string | undefined) =>
			this.#settings.filter(({ origin }) => ("environment" in origin ? origin.environment === name : name === undefined));
		return [...inSection(ALL_ENVIRONMENTS), ...inSection(undefined), ...inSection(this.#file.environment)];
	}

	#lineOf(node: unknown): number {
		return this.#lines.linePos((node as Node | null)?.range?.[0] ?? 0).line;
	}

	#error(at: unknown, flaw: string, nextStep: string, cause?: unknown): ConfigurationError {
		const line = typeof at === "number" ? this.#lines.linePos(at).line : this.#lineOf(at);
		return new ConfigurationError(`${this.#file.path}, line ${line}: ${flaw}. ${nextStep}`, cause === undefined ? {} : { cause });
	}
}

const keyOf = (pair: { readonly key: unknown }): string => (isScalar(pair.key) ? String(pair.key.value) : "");
