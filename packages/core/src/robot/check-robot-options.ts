import { checkApprovalOptions } from "../approval/approval-options.js";
import type { SkillsConfig } from "../config/config.js";
import { ConfigurationError } from "../errors/configuration-error.js";
import { checkMatcherOptions } from "../matching/matcher-options.js";
import { checkCount } from "../options/check-numbers.js";
import { checkNames } from "../options/check-options.js";
import { describeValue } from "../text/describe-value.js";
import { checkKind, checkSettings } from "./check-settings.js";
import type { RobotOptions, SkillMatching } from "./robot-options.js";
import type { RobotSettings } from "./robot-settings.js";

// a record, so that one that is forgotten, or no longer there, does not compile
const SETTINGS: Readonly<Record<keyof RobotSettings, true>> = {
	model: true,
	temperature: true,
	topP: true,
	topK: true,
	maxTokens: true,
	presencePenalty: true,
	frequencyPenalty: true,
	stop: true,
	seed: true,
	reasoning: true,
	schema: true,
	headers: true,
	providerOptions: true,
	tools: true,
	mcp: true,
	mcpDiscovery: true,
	maxTools: true,
	maxToolRounds: true,
	doomLoopThreshold: true,
	tokenBudget: true,
	costBudget: true,
	pricing: true,
	autoCompact: true,
	compactThreshold: true,
	contextWindow: true,
	retries: true,
	onContent: true,
	onToolCall: true,
	onToolResult: true,
};

const OWN: Readonly<Record<Exclude<keyof RobotOptions, keyof RobotSettings>, true>> = {
	name: true,
	description: true,
	systemPrompt: true,
	template: true,
	context: true,
	localTools: true,
	skills: true,
	matching: true,
	approval: true,
	hooks: true,
	bus: true,
	config: true,
};

const SETTING_NAMES: readonly string[] = Object.keys(SETTINGS);
const OPTION_NAMES: readonly string[] = [...Object.keys(OWN), ...SETTING_NAMES];

const MATCHING: Readonly<Record<keyof SkillMatching, true>> = {
	embedder: true,
	topK: true,
	candidates: true,
	threshold: true,
	fallback: true,
	cache: true,
	timeoutMs: true,
	activation: true,
	maxBytes: true,
};

const ACTIVATIONS: readonly SkillsConfig["activation"][] = ["prepend", "tool", "both"];

/** Throws ConfigurationError for an option that is unknown, and for what are no options. */
export const checkOptionNames = (what: string, options: object): void => checkNames(what, options, OPTION_NAMES);

/** Throws ConfigurationError, beginning with `what`, for how no skills can be matched. */
export function checkSkillMatching(what: string, matching: SkillMatching): void {
	checkNames(`${what},`, matching, Object.keys(MATCHING));
	const { activation, maxBytes, ...matcher } = matching;
	checkMatcherOptions({ skills: [], ...matcher }, what);
	if (maxBytes !== undefined) checkCount(`${what}: maxBytes`, maxBytes, 1);
	if (activation === undefined || ACTIVATIONS.includes(activation)) return;
	throw new ConfigurationError(`${what}: activation must be one of ${ACTIVATIONS.join(", ")}, not ${describeValue(activation)}.`);
}

/** Throws ConfigurationError for what no robot can be made of: an option that is unknown, no name, a prompt, setting or listener that is none. */
export function checkRobotOptions(options: RobotOptions): void {
	checkOptionNames("new Robot()", options);
	const { name, config, matching, approval } = options;
	if (config !== undefined) checkNames("new Robot(), config,", config, SETTING_NAMES);
	if (approval !== undefined) checkApprovalOptions("new Robot(), approval,", approval);
	if (matching !== undefined) checkSkillMatching("new Robot(), matching", matching);
	if (typeof name !== "string" || name.trim() === "") {
		throw new ConfigurationError('A robot needs a name: new Robot({ name: "…" }).');
	}
	for (const text of ["description", "systemPrompt"] as const) checkKind(text, options[text], "string");
	checkSettings("new Robot()", options);
	checkSettings("new Robot(), config", config ?? {});
}
