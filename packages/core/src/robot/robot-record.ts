import type { Selection } from "../value/selection.js";
import type { RobotSettings } from "./robot-settings.js";
import type { RobotSetup } from "./robot-setup.js";

type ModelSetting = "temperature" | "topP" | "topK" | "maxTokens" | "presencePenalty" | "frequencyPenalty" | "stop" | "seed" | "reasoning";

/** What a robot is, as JSON. Nothing of what it knows, and no header, key or function. */
export interface RobotRecord {
	readonly name: string;
	readonly description?: string;
	/** As it was chosen, `"provider/model"`. */
	readonly model: string;
	readonly systemPrompt?: string;
	readonly template?: string;
	/** The names of its own tools. */
	readonly localTools: readonly string[];
	/** The names of its skills, `"auto"`, or `"catalog"` where it has a catalog of its own. */
	readonly skills: readonly string[] | "auto" | "catalog";
	/** Which of its tools, and which MCP servers: a word or names. */
	readonly tools: Selection;
	readonly mcp: Selection;
	/** What its model is called with, by the names of the options: `config` of another robot takes it. */
	readonly settings: Pick<RobotSettings, ModelSetting>;
	readonly maxToolRounds: number;
}

export function robotRecord({ made, options, mcp }: RobotSetup): RobotRecord {
	const { name, description, systemPrompt, modelLabel: model, local, callSettings, maxToolRounds } = options;
	const { headers: _, providerOptions: __, maxOutputTokens: maxTokens, stopSequences: stop, ...rest } = callSettings;
	const settings = { ...rest, ...(maxTokens !== undefined && { maxTokens }), ...(stop && { stop: [...stop] }) };
	const { template, skills = [] } = made;
	return {
		name,
		...(description !== undefined && { description }),
		model,
		...(systemPrompt !== undefined && { systemPrompt }),
		...(template !== undefined && { template }),
		localTools: [...local.tools.keys()],
		skills: skills === "auto" ? "auto" : Array.isArray(skills) ? [...(skills as readonly string[])] : "catalog",
		tools: options.tools ?? "inherit",
		mcp: mcp.toJSON(),
		settings,
		maxToolRounds,
	};
}
