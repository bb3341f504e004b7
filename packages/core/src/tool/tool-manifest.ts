import type { JSONSchema7 } from "@ai-sdk/provider";
import { ConfigurationError } from "../errors/configuration-error.js";
import { ToolNotFoundError } from "../errors/tool-not-found-error.js";
import { describeValue } from "../text/describe-value.js";
import { didYouMean } from "../text/nearest-names.js";
import { isTool } from "./is-tool.js";
import { knownTools } from "./known-tools.js";
import type { Tool } from "./tool.js";

/** How a tool is told of: what the model is shown of it. */
export interface ToolRecord {
	readonly name: string;
	readonly description: string;
	readonly parameters: JSONSchema7;
}

/**
 * Tools by name, in the order in which they came; one that takes another's name takes its place, too. Can be given wherever a list of
 * tools can. What is given to a method is taken whole or not at all: ConfigurationError for something that is no tool.
 */
export class ToolManifest implements Iterable<Tool> {
	readonly #tools = new Map<string, Tool>();

	/** @param tools Of two that share a name the later one counts. */
	constructor(tools: Iterable<Tool> = []) {
		this.#put(checkedList(tools, "new ToolManifest()"));
	}

	get size(): number {
		return this.#tools.size;
	}

	get names(): readonly string[] {
		return [...this.#tools.keys()];
	}

	/** Puts a tool in, in the place of one that has its name. */
	add(tool: Tool): this {
		return this.#put([checked(tool, "add()")]);
	}

	/** Puts all tools of a list or of another manifest in. Changes this one; for a new one write `new ToolManifest(one).merge(other)`. */
	merge(tools: Iterable<Tool>): this {
		return this.#put(checkedList(tools, "merge()"));
	}

	/** Has these tools and no others from now on. */
	replace(tools: Iterable<Tool>): this {
		const list = checkedList(tools, "replace()");
		return this.clear().#put(list);
	}

	/** Takes a tool out. Answers whether it was there. */
	remove(name: string): boolean {
		return this.#tools.delete(name);
	}

	clear(): this {
		this.#tools.clear();
		return this;
	}

	has(name: string): boolean {
		return this.#tools.has(name);
	}

	get(name: string): Tool | undefined {
		return this.#tools.get(name);
	}

	/** The tool of that name. Throws ToolNotFoundError, which names those that there are, where none has it. */
	fetch(name: string): Tool {
		const tool = this.#tools.get(name);
		if (tool !== undefined) return tool;
		const hint = typeof name === "string" ? didYouMean(name, this.#tools.keys()) : "";
		throw new ToolNotFoundError(name, `The manifest has no tool ${describeValue(name)}.${hint} ${knownTools(this.#tools.keys())}.`);
	}

	[Symbol.iterator](): IterableIterator<Tool> {
		return this.#tools.values();
	}

	/** The tools as a model is told of them. */
	toJSON(): readonly ToolRecord[] {
		return [...this.#tools.values()].map(({ name, description, parameters }) => ({ name, description, parameters }));
	}

	#put(tools: readonly Tool[]): this {
		for (const tool of tools) this.#tools.set(tool.name, tool);
		return this;
	}
}

/** Read to its end before anything is changed: the list may be the manifest itself, and its last entry no tool. */
function checkedList(tools: Iterable<Tool>, method: string): readonly Tool[] {
	if (typeof tools !== "object" || tools === null || !(Symbol.iterator in tools)) {
		throw new ConfigurationError(`ToolManifest takes a list of tools in ${method}, got ${describeValue(tools)}. One tool goes into add().`);
	}
	return [...tools].map((tool) => checked(tool, method));
}

function checked(tool: Tool, method: string): Tool {
	if (isTool(tool)) return tool;
	const given = describeValue(tool);
	throw new ConfigurationError(
		`ToolManifest was given ${given} in ${method}, which is no tool: make one with createTool or ScriptTool.fromPath.`,
	);
}
