import type { LanguageModelV4CallOptions } from "@ai-sdk/provider";
import { config } from "../config/configure.js";
import { ConfigurationError } from "../errors/configuration-error.js";
import type { BudgetLimits } from "../guard/budget-ledger.js";
import { budgetLimits } from "../guard/budget-options.js";
import { checkDoomLoopThreshold, DEFAULT_DOOM_LOOP_THRESHOLD } from "../guard/doom-loop.js";
import type { Pricing } from "../guard/pricing.js";
import type { ToolCall, ToolResultMessage } from "../message/message.js";
import { type ModelChoice, modelName } from "../model/model.js";
import { checkModelChoice } from "../model/model-id.js";
import { cascade } from "../options/cascade.js";
import { checkCount, checkFinite, checkShareAboveZero, checkWhole } from "../options/check-numbers.js";
import { type AnswerForm, answerForm } from "../run/answer-schema.js";
import { guardListener } from "../run/listeners.js";
import { type RetryPolicy, retryPolicy } from "../run/retry.js";
import type { ToolSet } from "../run/run-tools.js";
import type { Template } from "../template/template.js";
import type { Selection } from "../value/selection.js";
import { type Compaction, compactionOf } from "./auto-compact.js";
import { checkRobotOptions } from "./check-robot-options.js";
import { localTools } from "./local-tools.js";
import type { RobotMcpServers } from "./robot-mcp.js";
import type { RobotOptions } from "./robot-options.js";
import type { RobotSettings } from "./robot-settings.js";
import { RobotTemplates, settingsOf } from "./robot-templates.js";
import type { ContentChunk } from "./run-options.js";

const DEFAULT_MAX_TOOL_ROUNDS = 20;
const DEFAULT_MAX_TOOLS = 128;

/** A robot's options with every default applied and every mistake found that can be found at once. */
export interface ResolvedRobotOptions {
	readonly name: string;
	readonly description: string | undefined;
	readonly systemPrompt: string | undefined;
	readonly templates: RobotTemplates;
	readonly model: ModelChoice;
	/** The model as it was chosen, `"provider/model"`. */
	readonly modelLabel: string;
	/** The same where it is certain already; absent where a template skill names it, in whose place there may be an Agent Skill. */
	readonly certainLabel: string | undefined;
	readonly local: ToolSet;
	readonly callSettings: Omit<LanguageModelV4CallOptions, "prompt" | "tools" | "abortSignal">;
	readonly form: AnswerForm | undefined;
	readonly maxToolRounds: number;
	readonly doomLoopThreshold: number;
	readonly limits: BudgetLimits;
	readonly pricing: Pricing | undefined;
	readonly compaction: Compaction | undefined;
	readonly retry: RetryPolicy;
	readonly tools: Selection | undefined;
	readonly mcp: RobotMcpServers | undefined;
	readonly mcpDiscovery: boolean;
	readonly maxTools: number;
	readonly onContent: ((chunk: ContentChunk) => void) | undefined;
	readonly onToolCall: ((call: ToolCall) => void) | undefined;
	readonly onToolResult: ((result: ToolResultMessage) => void) | undefined;
}

/** Reads the template, too. */
export function resolveRobotOptions(options: RobotOptions): ResolvedRobotOptions {
	checkRobotOptions(options);
	const templates = new RobotTemplates(options);
	return resolveWith(options, templates, templates.expand().templates);
}

/** The same where it is known which of the templates are used. */
export function resolveWith(options: RobotOptions, templates: RobotTemplates, used: readonly Template[]): ResolvedRobotOptions {
	const own: RobotSettings = { ...templates.main?.settings, ...withoutUndefined(options.config ?? {}), ...withoutUndefined(options) };
	const settings: RobotSettings = { ...settingsOf(used), ...own };
	const model = modelOf(options.name, settings);
	cascade("tools", { robot: settings.tools });
	const modelLabel = typeof model === "string" ? model : modelName(model);
	return {
		name: options.name,
		description: options.description ?? templates.main?.description,
		systemPrompt: options.systemPrompt,
		templates,
		model,
		modelLabel,
		certainLabel: own.model === undefined && settings.model !== undefined ? undefined : modelLabel,
		local: localTools(options.localTools ?? []),
		callSettings: callSettings(settings),
		form: settings.schema && answerForm(settings.schema),
		maxToolRounds: counted("maxToolRounds", settings.maxToolRounds ?? DEFAULT_MAX_TOOL_ROUNDS),
		doomLoopThreshold: doomLoopThreshold(settings),
		limits: budgetLimits(settings),
		pricing: settings.pricing,
		compaction: compactionOf(settings),
		retry: checkedPolicy(retryPolicy(settings.retries)),
		tools: settings.tools,
		mcp: settings.mcp,
		mcpDiscovery: settings.mcpDiscovery === true,
		maxTools: counted("maxTools", settings.maxTools ?? DEFAULT_MAX_TOOLS),
		onContent: settings.onContent,
		onToolCall: settings.onToolCall && guardListener("onToolCall", settings.onToolCall),
		onToolResult: settings.onToolResult && guardListener("onToolResult", settings.onToolResult),
	};
}

function modelOf(robot: string, settings: RobotSettings): ModelChoice {
	const model = settings.model ?? config().model;
	if (model === undefined) {
		throw new ConfigurationError(
			`The robot "${robot}" has no model. Give it one: model: "anthropic/<model>" (or openai/, google/, openai-compatible/), ` +
				'a language model of the AI SDK, or "offline"; or set one for all robots: configure({ model: "…" }).',
		);
	}
	checkModelChoice(model);
	return model;
}

function doomLoopThreshold({ doomLoopThreshold: threshold = DEFAULT_DOOM_LOOP_THRESHOLD }: RobotSettings): number {
	checkDoomLoopThreshold(threshold);
	return threshold;
}

const atLeastOne = (name: string, value: unknown): void => checkCount(name, value, 1);

/** What holds with every provider. */
const NUMBERS = {
	temperature: checkFinite,
	topP: checkShareAboveZero,
	topK: atLeastOne,
	maxTokens: atLeastOne,
	presencePenalty: checkFinite,
	frequencyPenalty: checkFinite,
	seed: checkWhole,
} satisfies Partial<Record<keyof RobotSettings, (name: string, value: unknown) => void>>;

function callSettings(settings: RobotSettings): ResolvedRobotOptions["callSettings"] {
	for (const [name, check] of Object.entries(NUMBERS)) {
		const value = settings[name as keyof typeof NUMBERS];
		if (value !== undefined) check(name, value);
	}
	return withoutUndefined({
		temperature: settings.temperature,
		topP: settings.topP,
		topK: settings.topK,
		maxOutputTokens: settings.maxTokens,
		presencePenalty: settings.presencePenalty,
		frequencyPenalty: settings.frequencyPenalty,
		stopSequences: settings.stop && [...settings.stop],
		seed: settings.seed,
		reasoning: settings.reasoning,
		headers: settings.headers,
		providerOptions: settings.providerOptions,
	}) as ResolvedRobotOptions["callSettings"];
}

function checkedPolicy(policy: RetryPolicy): RetryPolicy {
	checkCount("retries", policy.maxRetries, 0);
	for (const name of ["baseDelayMs", "maxDelayMs", "maxRetryAfterMs"] as const) {
		if (!(policy[name] >= 0)) throw new ConfigurationError(`retries.${name} must be 0 or more milliseconds, got ${String(policy[name])}.`);
	}
	return policy;
}

function counted(name: string, value: number): number {
	checkCount(name, value, 0);
	return value;
}

const withoutUndefined = <T extends object>(object: T): Partial<T> =>
	Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as Partial<T>;
