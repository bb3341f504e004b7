import type { LanguageModelV4FunctionTool } from "@ai-sdk/provider";
import type { Tool } from "../tool/tool.js";

/** Tools by the name that a model is shown, never changed. */
export interface ToolSet {
	readonly tools: ReadonlyMap<string, Tool>;
	/** The skill of each tool that has one, by the same name. */
	readonly skillOf: ReadonlyMap<string, string>;
	/** The same as the model is told of them; absent when there are none. */
	readonly described?: LanguageModelV4FunctionTool[];
}

/** Tools with what the model is told of them. */
export function toolSet(tools: ReadonlyMap<string, Tool>, skillOf: ReadonlyMap<string, string>): ToolSet {
	if (tools.size === 0) return { tools, skillOf };
	return { tools, skillOf, described: [...tools].map(([name, tool]) => describe(name, tool)) };
}

const describe = (name: string, tool: Tool): LanguageModelV4FunctionTool => ({
	type: "function",
	name,
	description: tool.description,
	inputSchema: tool.parameters,
	...(tool.strict !== undefined && { strict: tool.strict }),
});

/**
 * The tools of one run. They grow while it goes on, because a skill that the model loads brings its scripts; what was there stays. Made for the run
 * and dropped with it: nothing is put on the robot, so nothing has to be taken off again.
 */
export class RunTools {
	#set: ToolSet;

	constructor(set: ToolSet) {
		this.#set = set;
	}

	get byName(): ReadonlyMap<string, Tool> {
		return this.#set.tools;
	}

	get skillOf(): ReadonlyMap<string, string> {
		return this.#set.skillOf;
	}

	/** Another list after each addition: a model may keep the one that it was given. */
	get described(): LanguageModelV4FunctionTool[] | undefined {
		return this.#set.described;
	}

	/** Adds a skill's tools. None of the names may be taken. */
	add(skill: string, tools: ReadonlyMap<string, Tool>): void {
		const { tools: before, skillOf } = this.#set;
		const owners = [...tools.keys()].map((name) => [name, skill] as const);
		this.#set = toolSet(new Map([...before, ...tools]), new Map([...skillOf, ...owners]));
	}
}
