import { isSeq, type Node, type Pair } from "yaml";
import { keyText, YamlFile } from "../config/yaml-file.js";
import { ConfigurationError } from "../errors/configuration-error.js";
import { NetworkError, type NetworkErrorCode } from "../errors/network-error.js";
import { describeValue, isRecord } from "../text/describe-value.js";
import { messageOf } from "../text/message-of.js";
import { didYouMean } from "../text/nearest-names.js";
import { shorten } from "../text/shorten.js";

const MAX_LISTED = 20;
const PLAIN_NAME = /^[\p{L}\p{N}_-]{1,40}$/u;

/** A file that is read. For each alias the parser walks through all of it: what was found is kept. */
interface Source {
	readonly path: string;
	readonly yaml: YamlFile;
	/** By what stands below a key: the node that it means. */
	readonly nodes: Map<unknown, Node | undefined>;
	/** By node: what it is as plain data. */
	readonly values: Map<Node, unknown>;
}

interface Entry {
	readonly pair: Pair;
	readonly line: number;
}

/** A map in a file that somebody wrote, maybe a stranger. Whatever it refuses names the file, the line and the key. */
export class DeclaredMap {
	/** Its keys, in order. */
	readonly keys: readonly string[];
	readonly #source: Source;
	/** Its keys from the top, as people write them; empty at the top. */
	readonly #path: string;
	readonly #line: number;
	readonly #entries: ReadonlyMap<string, Entry>;

	private constructor(source: Source, path: string, line: number, pairs: readonly Pair[]) {
		this.#source = source;
		this.#path = path;
		this.#line = line;
		this.#entries = new Map(pairs.map((pair) => [keyText(pair.key), { pair, line: source.yaml.lineOf(pair.key) }]));
		this.keys = [...this.#entries.keys()];
	}

	/** The map at the top of a file. Throws ConfigurationError for what is no YAML, or no map. */
	static ofFile(path: string, text: string): DeclaredMap {
		const yaml = parsed(path, () => new YamlFile(path, text));
		yaml.checkAll();
		const source = { path, yaml, nodes: new Map<unknown, Node | undefined>(), values: new Map<Node, unknown>() };
		const { top } = source.yaml;
		return new DeclaredMap(source, "", 1, top === undefined ? [] : source.yaml.pairs(top, "the file"));
	}

	/** Throws ConfigurationError for a key that is none of these. @param next What else there is to do. */
	checkKeys(known: readonly string[], next = ""): void {
		const unknown = this.keys.find((key) => !known.includes(key));
		if (unknown === undefined) return;
		const flaw = `is no key that there is.${didYouMean(unknown, known)} There ${known.length === 1 ? "is" : "are"} ${known.join(", ")}`;
		throw this.error(unknown, flaw, next);
	}

	/** Whether something stands below a key. */
	has(key: string): boolean {
		return this.#node(key) !== undefined;
	}

	/** As plain data; `undefined` where there is nothing. */
	value(key: string): unknown {
		const node = this.#node(key);
		if (node === undefined) return undefined;
		const { path, yaml, values } = this.#source;
		if (!values.has(node))
			values.set(
				node,
				parsed(path, () => yaml.plain(node)),
			);
		return values.get(node);
	}

	/** The map below a key; one without keys where nothing stands there. */
	map(key: string): DeclaredMap {
		const node = this.#node(key);
		const path = this.#pathOf(key);
		return new DeclaredMap(this.#source, path, this.#lineOf(key), node === undefined ? [] : this.#source.yaml.pairs(node, path));
	}

	/** The maps of the list below a key, each with its place in the list as its name: `tasks.triage.next[1]`. */
	maps(key: string): readonly DeclaredMap[] {
		const list = this.#node(key);
		if (!isSeq(list)) return [];
		return list.items.map((item, index) => {
			const node = this.#followed({ key: null, value: item } as Pair);
			const path = `${this.#pathOf(key)}[${index}]`;
			const line = this.#source.yaml.lineOf(item);
			return new DeclaredMap(this.#source, path, line, node === undefined ? [] : this.#source.yaml.pairs(node, path));
		});
	}

	/** Whether a map stands below a key. */
	isMap(key: string): boolean {
		return isRecord(this.value(key));
	}

	/** Where a key stands, or the map itself: `"lab.yaml, line 3: tasks.facts"`. */
	place(key?: string): string {
		const path = key === undefined ? this.#path : this.#pathOf(key);
		return `${this.#source.path}, line ${key === undefined ? this.#line : this.#lineOf(key)}: ${path || "the file"}`;
	}

	error(key: string | undefined, flaw: string, next: string, cause?: unknown): ConfigurationError {
		const message = `${this.place(key)} ${flaw}.${next === "" ? "" : ` ${next}`}`;
		return new ConfigurationError(message, cause === undefined ? {} : { cause });
	}

	/** The same of what a network cannot be. */
	networkError(code: NetworkErrorCode, network: string, key: string | undefined, flaw: string, cycle?: readonly string[]): NetworkError {
		return new NetworkError(code, network, `${this.place(key)} ${flaw}`, cycle);
	}

	/** An error that there is something else than there has to be. */
	wrong(key: string, needed: string, value: unknown = this.value(key)): ConfigurationError {
		return this.error(key, `must be ${needed}, not ${describeValue(value)}`, "");
	}

	/** Does what refuses without knowing of files, and says where what it refuses stands. */
	within<T>(key: string | undefined, work: () => T): T {
		try {
			return work();
		} catch (error) {
			if (!ConfigurationError.isInstance(error)) throw error;
			const message = `${this.place(key)}: ${error.message}`;
			if (!NetworkError.isInstance(error)) throw new ConfigurationError(message, { cause: error });
			const { code, network } = error;
			throw new NetworkError(code, network, `${this.place(key)}: ${error.message.replace(`The network "${network}": `, "")}`);
		}
	}

	#node(key: string): Node | undefined {
		const entry = this.#entries.get(key);
		return entry && this.#followed(entry.pair);
	}

	#followed(pair: Pair): Node | undefined {
		const { yaml, nodes } = this.#source;
		if (!nodes.has(pair.value)) nodes.set(pair.value, yaml.valueOf(pair));
		return nodes.get(pair.value);
	}

	#lineOf(key: string): number {
		return this.#entries.get(key)?.line ?? this.#line;
	}

	#pathOf(key: string): string {
		const name = PLAIN_NAME.test(key) ? key : describeValue(shorten(key, 40));
		return this.#path === "" ? name : `${this.#path}.${name}`;
	}
}

/** What is nested without end, and aliases that repeat too much, are errors of the parser's own kinds. */
function parsed<T>(path: string, parse: () => T): T {
	try {
		return parse();
	} catch (error) {
		if (ConfigurationError.isInstance(error)) throw error;
		throw new ConfigurationError(`${path} cannot be read as YAML: ${messageOf(error)}. Simplify it.`, { cause: error });
	}
}

/** The names there are, for a message: the nearest, and the first of all. */
export function namesText(asked: string, known: readonly string[]): string {
	if (known.length === 0) return "There is none.";
	const more = known.length > MAX_LISTED ? ", …" : "";
	return `${didYouMean(asked, known)} There ${known.length === 1 ? "is" : "are"} ${known.slice(0, MAX_LISTED).join(", ")}${more}.`.trimStart();
}
