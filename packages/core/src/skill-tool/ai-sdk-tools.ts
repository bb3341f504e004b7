import type { StandardJSONSchemaV1, StandardSchemaV1 } from "@standard-schema/spec";
import { checkNames } from "../options/check-options.js";
import type { AgentSkill } from "../skill/agent-skill.js";
import { isList } from "../text/describe-value.js";
import { callTool } from "../tool/call-tool.js";
import type { Tool } from "../tool/tool.js";
import { type SkillToolsOptions, skillTools } from "./skill-tools.js";

/** A tool as `generateText`, `streamText` and agents of the AI SDK (version 6 and 7) take it. */
export interface AiSdkTool {
	readonly description: string;
	readonly inputSchema: StandardSchemaV1<unknown, unknown> & StandardJSONSchemaV1<unknown, unknown>;
	/** Runs the script and gives its text. What is an error to the model is thrown, as the SDK wants it. */
	readonly execute: (input: unknown, options?: { readonly abortSignal?: AbortSignal | undefined }) => Promise<string>;
}

/** Who is asked before scripts run, and whether they are asked what they do. */
export type AiSdkToolsOptions = Pick<SkillToolsOptions, "approval" | "helpTexts">;

/**
 * The scripts of one or several skills for those who use the AI SDK without our robots, by the names that a model is shown (`<skill>__<script>`). They run
 * as every script does: by the installed executor, or unconfined. Two skills whose scripts would have one name get names that differ.
 *
 * Rejects with a ConfigurationError for options that are unknown.
 */
export async function toAiSdkTools(
	skills: AgentSkill | readonly AgentSkill[],
	options: AiSdkToolsOptions = {},
): Promise<Record<string, AiSdkTool>> {
	checkNames("toAiSdkTools()", options, ["approval", "helpTexts"]);
	const tools = new Map<string, Tool>();
	for (const skill of isList(skills) ? (skills as readonly AgentSkill[]) : [skills as AgentSkill]) {
		for (const [name, tool] of await skillTools(skill, { ...options, taken: tools })) tools.set(name, tool);
	}
	return Object.fromEntries([...tools].map(([name, tool]) => [name, aiSdkTool(name, tool)]));
}

function aiSdkTool(name: string, tool: Tool): AiSdkTool {
	const described = (): Record<string, unknown> => structuredClone(tool.parameters) as Record<string, unknown>;
	return {
		description: tool.description,
		inputSchema: {
			"~standard": {
				version: 1,
				vendor: "robot-lab",
				validate: (input) => checkedInput(input, tool),
				jsonSchema: { input: described, output: described },
			},
		},
		execute: async (input, { abortSignal } = {}) => {
			const context = { ...(abortSignal && { signal: abortSignal }) };
			const { text, isError } = await callTool({ name, args: { ok: true, value: input } }, new Map([[name, tool]]), context);
			if (isError) throw new Error(text);
			return text;
		},
	};
}

/** As it came: it is read once more by the call. */
async function checkedInput(input: unknown, tool: Tool): Promise<StandardSchemaV1.Result<unknown>> {
	const checked = await tool.validate(input);
	return checked.ok ? { value: input } : { issues: [{ message: checked.message }] };
}
