import { isMap, type Node, type Pair } from "yaml";
import { ConfigurationError } from "../errors/configuration-error.js";
import { messageOf } from "../text/message-of.js";
import { flawText, keptOf } from "./check.js";
import type { WrittenSetting } from "./config-origin.js";
import { ALL_ENVIRONMENTS, USUAL_ENVIRONMENTS } from "./environment-name.js";
import { SECTION_NAMES, SETTINGS, type Setting } from "./settings.js";
import type { UnknownSetting } from "./unknown-settings.js";
import { keyText, YamlFile } from "./yaml-file.js";

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

/**
 * Reads a file of settings. Throws a ConfigurationError that names the file, the line and what to do, for what is no YAML, has a key twice
 * or a tag, is no map, or has a value that a setting does not take.
 */
export function parseConfigFile(file: ConfigText): ParsedConfig {
	try {
		return new ConfigFileParser(file).parse();
	} catch (error) {
		if (ConfigurationError.isInstance(error)) throw error;
		// What is nested without end, and aliases that repeat too much, are errors of the parser's own kinds.
		throw new ConfigurationError(`${file.path} cannot be read as YAML: ${messageOf(error)}. Simplify it.`, {
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
	readonly #yaml: YamlFile;
	readonly #settings: WrittenSetting[] = [];
	readonly #unknown: UnknownSetting[] = [];

	constructor(file: ConfigText) {
		this.#file = file;
		this.#yaml = new YamlFile(file.path, file.text);
	}

	parse(): ParsedConfig {
		const { top } = this.#yaml;
		if (top !== undefined) this.#readTop(top);
		return { settings: this.#inOrder(), unknown: this.#unknown };
	}

	#readTop(top: Node): void {
		const environments = new Set([ALL_ENVIRONMENTS, this.#file.environment, ...USUAL_ENVIRONMENTS]);
		for (const pair of this.#yaml.pairs(top, "the file")) {
			const key = keyText(pair.key);
			if (environments.has(key)) this.#readSection(pair, key, { environment: key, prefix: "" });
			else this.#readPair(pair, { prefix: "" });
		}
	}

	#readSection(pair: Pair, name: string, below: Place): void {
		const value = this.#yaml.valueOf(pair);
		if (value === undefined) return;
		for (const inside of this.#yaml.pairs(value, name)) this.#readPair(inside, below);
	}

	#readPair(pair: Pair, place: Place): void {
		const name = `${place.prefix}${keyText(pair.key)}`;
		const setting = SETTINGS.get(name);
		if (setting !== undefined) this.#readSetting(pair, setting, place);
		else if (SECTION_NAMES.has(name)) this.#readSection(pair, name, { ...place, prefix: `${name}.` });
		else this.#noteUnknown(pair, name, place);
	}

	#readSetting(pair: Pair, { name, check }: Setting, { environment }: Place): void {
		const node = this.#yaml.valueOf(pair);
		if (node === undefined) return;
		const value = this.#yaml.plain(node);
		const flaw = flawText(name, value, check);
		if (flaw !== undefined) throw this.#yaml.error(node, flaw, "Correct it there.");
		const at = { layer: this.#file.layer, path: this.#file.path, line: this.#yaml.lineOf(pair.key) };
		this.#settings.push({ name, value: keptOf(value, check), origin: environment === undefined ? at : { ...at, environment } });
	}

	/** What it is given is not looked for behind an alias: thousands of them would take minutes. */
	#noteUnknown({ key, value }: Pair, name: string, { environment }: Place): void {
		const written = environment === undefined ? name : `${environment}.${name}`;
		const holds = isMap(value) ? value.items.map((item) => keyText(item.key)) : [];
		this.#unknown.push({ name, written, where: `line ${this.#yaml.lineOf(key)}`, holds });
	}

	/** What counts everywhere first, the environment's own last; of other environments nothing. */
	#inOrder(): readonly WrittenSetting[] {
		const inSection = (name: string | undefined) =>
			this.#settings.filter(({ origin }) => ("environment" in origin ? origin.environment === name : name === undefined));
		return [...inSection(ALL_ENVIRONMENTS), ...inSection(undefined), ...inSection(this.#file.environment)];
	}
}
