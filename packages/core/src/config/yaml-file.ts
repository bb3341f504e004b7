import { type Document, isAlias, isMap, isScalar, isSeq, LineCounter, type Node, type Pair, parseDocument, type YAMLMap } from "yaml";
import { ConfigurationError } from "../errors/configuration-error.js";
import { describeValue } from "../text/describe-value.js";

/** In a file, and how often one value may be repeated by them: the parser walks through the whole file for each. */
const MAX_ALIASES = 100;

/**
 * The YAML of a file, which names the file and the line of whatever is wrong in it. YAML 1.2 with its core schema: no tags, no merge keys, nothing
 * executed, whatever version the file says it is in.
 */
export class YamlFile {
	readonly #path: string;
	readonly #lines = new LineCounter();
	readonly #document: Document.Parsed;

	/** Throws a ConfigurationError for what is no YAML, or another version's. */
	constructor(path: string, text: string) {
		this.#path = path;
		this.#document = parseDocument(text, {
			version: "1.2",
			schema: "core",
			merge: false,
			resolveKnownTags: false,
			stringKeys: true,
			// It compares each key with each other; `pairs` does it in one go.
			uniqueKeys: false,
			// They would quote the line, and what stands in it may be a secret.
			prettyErrors: false,
			logLevel: "error",
			lineCounter: this.#lines,
		});
		// A tag that nothing resolves is only a warning to the parser.
		const flaw = this.#document.errors[0] ?? this.#document.warnings[0];
		if (flaw !== undefined) throw this.error(flaw.pos[0], `is no valid YAML: ${flaw.message}`, "Mend that line.", flaw);
		const { explicit, version } = this.#document.directives.yaml;
		if (explicit === true && version !== "1.2") throw this.error(0, `is in YAML ${version}`, "Write YAML 1.2, and no %YAML line.");
	}

	/** What stands at the top; nothing in a file without any. */
	get top(): Node | undefined {
		return withoutNull(this.#document.contents);
	}

	/** The pairs of a map. Throws for what is no map (`what` says what should have been one) and for a key that is there twice. */
	pairs(node: Node, what: string): readonly Pair[] {
		const map = this.#map(node, what);
		this.#checkKeys(map);
		return map.items;
	}

	/** Looks at every node once, for a file whose values are all read. Throws for a key that is there twice in any map, and for too many aliases. */
	checkAll(): void {
		const nodes: unknown[] = [this.#document.contents];
		let aliases = 0;
		for (const node of nodes) {
			if (isAlias(node)) aliases += 1;
			if (aliases > MAX_ALIASES) throw this.error(node, `has more than ${MAX_ALIASES} aliases`, "Write the values.");
			if (isSeq(node)) for (const item of node.items) nodes.push(item);
			if (!isMap(node)) continue;
			this.#checkKeys(node);
			for (const { value } of node.items) nodes.push(value);
		}
	}

	#checkKeys({ items }: YAMLMap): void {
		const seen = new Set<string>();
		for (const { key } of items) {
			const name = keyText(key);
			if (seen.has(name)) throw this.error(key, `has the key ${describeValue(name)} a second time`, "Take one of the two out.");
			seen.add(name);
		}
	}

	#map(node: Node, what: string): YAMLMap {
		if (isMap(node)) return node;
		const value = isScalar(node) ? describeValue(node.value) : "a list";
		throw this.error(node, `${what} must be a map of settings, not ${value}`, "Write it as name: value, one a line.");
	}

	/** What a key is given, behind an alias too, for which the parser walks through the whole document; nothing where it is left empty. */
	valueOf({ value }: Pair): Node | undefined {
		const node = value as Node | null;
		const resolved = isAlias(node) ? node.resolve(this.#document) : node;
		if (resolved === undefined) throw this.error(node, "is an alias of nothing", "Write the value itself.");
		return withoutNull(resolved);
	}

	/** As plain data. */
	plain(node: Node): unknown {
		return node.toJS(this.#document, { maxAliasCount: MAX_ALIASES });
	}

	/** From 1. */
	lineOf(node: unknown): number {
		return this.#lines.linePos((node as Node | null)?.range?.[0] ?? 0).line;
	}

	/** @param at A node, or how many characters stand before it. */
	error(at: unknown, flaw: string, nextStep: string, cause?: unknown): ConfigurationError {
		const line = typeof at === "number" ? this.#lines.linePos(at).line : this.lineOf(at);
		return new ConfigurationError(`${this.#path}, line ${line}: ${flaw}. ${nextStep}`, cause === undefined ? {} : { cause });
	}
}

export const keyText = (key: unknown): string => (isScalar(key) ? String(key.value) : "");

const withoutNull = (node: Node | null): Node | undefined => (node === null || (isScalar(node) && node.value === null) ? undefined : node);
