import type { LanguageModelV4CallOptions } from "@ai-sdk/provider";
import type { Pricing } from "../guard/pricing.js";
import type { ToolCall, ToolResultMessage } from "../message/message.js";
import type { ModelChoice } from "../model/model.js";
import type { AnswerSchema } from "../run/answer-schema.js";
import type { RetryOptions } from "../run/retry.js";
import type { Selection } from "../value/selection.js";
import type { AutoCompact } from "./auto-compact.js";
import type { RobotMcpServers } from "./robot-mcp.js";
import type { ContentChunk } from "./run-options.js";

/** What may be shared by several robots; a robot's own options win over its `config`. */
export interface RobotSettings {
	/** A language model of the AI SDK, `"provider/model"` or `"offline"`. Default: `config().model`; without either a ConfigurationError. */
	readonly model?: ModelChoice;
	/** Default: the provider's. Providers' ranges differ, mostly 0 to 1 or 0 to 2. */
	readonly temperature?: number;
	/** Sample from the likeliest tokens that make up this share of the probability, above 0 to 1. Default: the provider's. */
	readonly topP?: number;
	/** Sample from this many of the likeliest tokens, 1 or more. Default: the provider's; not every provider takes it. */
	readonly topK?: number;
	/** Output tokens of one reply, 1 or more. Default: the provider's. Reaching it ends the run with `length`. */
	readonly maxTokens?: number;
	/** Makes tokens that were used already less likely, mostly -2 to 2. Default: the provider's. */
	readonly presencePenalty?: number;
	/** Makes tokens less likely the more often they were used, mostly -2 to 2. Default: the provider's. */
	readonly frequencyPenalty?: number;
	/** Texts at which the model stops; they are not part of the answer. Default: none. */
	readonly stop?: readonly string[];
	/** A whole number with which a provider that takes it gives the same answer again, as far as it can. Default: none. */
	readonly seed?: number;
	/** How much the model thinks before it answers, as far as it can be told. Default: the provider's. */
	readonly reasoning?: LanguageModelV4CallOptions["reasoning"];
	/**
	 * What answers are to look like. The model is asked for JSON of this schema; `result.data` is what its last text is as such, and where it is none the
	 * run ends with `invalid_output`. Default: text of any kind.
	 */
	readonly schema?: AnswerSchema;
	/** Headers added to every request of the model. Default: none. */
	readonly headers?: Readonly<Record<string, string>>;
	/** Handed to the provider as it is, under the provider's own key. Default: nothing. */
	readonly providerOptions?: LanguageModelV4CallOptions["providerOptions"];
	/**
	 * Which of its tools the model is told of: `"inherit"`, `"none"`, or those of these names. Less than what a run says, more than a task, a network
	 * and `config().tools`. Default `"inherit"`: where nobody says another, all it has.
	 */
	readonly tools?: Selection;
	/**
	 * Its MCP servers: some of those of the configuration (`"inherit"`, `"none"`, names), servers of its own, or an `McpServers` that somebody else
	 * ends. Connected when a run first needs them. Default `"inherit"`: all of the configuration, where nobody says another.
	 */
	readonly mcp?: RobotMcpServers;
	/** Whether only MCP servers that have to do with the message, by their descriptions, are asked for tools. Default false. */
	readonly mcpDiscovery?: boolean;
	/** The most tools a model is told of. Default 128, as many as most providers take; those beyond it are left out, with a warning in the log. */
	readonly maxTools?: number;
	/** Rounds of tool calls one run may take. Default 20. One more that the model asks for ends the run with `tool_limit`. */
	readonly maxToolRounds?: number;
	/**
	 * After how many equal calls in a row, or equal patterns of up to ten calls, a run is warned of going round in circles; the second time it ends
	 * with `doom_loop`. Calls are equal that have the same name and arguments. 2 or more, default 3; Infinity looks for none.
	 */
	readonly doomLoopThreshold?: number;
	/**
	 * What all runs of the robot may use together, in tokens. Where nothing is left a run rejects with BudgetExceededError before its first request, and
	 * ends with `budget` between two. An answer that takes more than there was is whole. Default: no limit.
	 */
	readonly tokenBudget?: number;
	/** The same in US dollars, by `pricing`, without which it is a ConfigurationError. Default: no limit. */
	readonly costBudget?: number;
	/** What the model's tokens cost. Default: unknown. */
	readonly pricing?: Pricing;
	/** Whether a history that has grown too long is made shorter before the model is asked, and how. Default `"none"`. */
	readonly autoCompact?: AutoCompact;
	/** The share of the model's window from which on a history is too long for `"context_window"`, 0 to 1. Default 0.8. */
	readonly compactThreshold?: number;
	/** The tokens that the model takes in all. Default 200,000. */
	readonly contextWindow?: number;
	/** How a failing model is asked again. A number is the count of retries. Default 2, exponential from 500 ms. */
	readonly retries?: number | RetryOptions;
	/** Called with each piece of text as it arrives. Must not throw; what it throws, or rejects with, is reported once as a process warning and changes nothing. */
	readonly onContent?: (chunk: ContentChunk) => void;
	/** Called before each tool call is made, with what the model asked for. The same contract. */
	readonly onToolCall?: (call: ToolCall) => void;
	/** Called with what each tool call came to. The same contract. */
	readonly onToolResult?: (result: ToolResultMessage) => void;
}
