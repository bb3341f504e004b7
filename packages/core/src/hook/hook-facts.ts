import type { Message } from "../message/message.js";
import type { RobotResult } from "../message/robot-result.js";
import type { StopReason } from "../message/stop-reason.js";
import type { TokenUsage } from "../stream/token-usage.js";
import type { ToolOutcome } from "../tool/tool-outcome.js";

/** One run of a robot, from its message to its result. */
export interface RunFacts {
	/** What the robot is to answer. Another one takes its place, for skills, templates and the model. */
	message: string;
}

/** All requests to the model and all tool calls of one run, once. */
export interface LlmGenerationFacts {
	/** What the model is to answer. Another one takes its place in the prompt and in the history. */
	message: string;
	/** `"provider/model"`. */
	readonly model: string;
	/** Empty without one. */
	readonly systemPrompt: string;
	/** The names of the tools that the model is shown. */
	readonly tools: readonly string[];
	/** What was said before, oldest first. */
	readonly messages: readonly Message[];
}

/** What the model's turn came to. */
export interface LlmGenerationResult {
	/** The answer; empty where the model said nothing. */
	readonly text: string;
	readonly stopReason: StopReason;
	/** Of all requests together. Empty where nobody reported any. */
	readonly usage: TokenUsage;
}

/** One call of a tool. */
export interface ToolCallFacts {
	/** As the model knows it. */
	readonly toolName: string;
	/** Unique within the run. */
	readonly toolCallId: string;
	/** The arguments as the model wrote them, frozen: parsed JSON, or the raw text where it was no JSON. Others take their place, and are checked as the model's are. */
	args: unknown;
}

/** One run of a network. */
export interface NetworkRunFacts {
	readonly networkName: string;
	input: unknown;
}

/** One task of a network's run, its attempts together. */
export interface TaskFacts {
	readonly networkName: string;
	readonly taskName: string;
	input: unknown;
}

/** Something that a robot learns. */
export interface LearnFacts {
	/** What it learns. Another one takes its place. */
	text: string;
	/** What it had learned before. */
	readonly learnings: readonly string[];
}

/** A history that is made shorter. */
export interface CompactionFacts {
	/** The history, oldest message first. */
	readonly messages: readonly Message[];
	/** The shorter history. Where a hook sets it, nobody else is asked for one. */
	compactedMessages?: readonly Message[] | undefined;
}

/** What hooks are told of, by its family: what they may change is not `readonly`. */
export interface HookFacts {
	readonly run: RunFacts;
	readonly llmGeneration: LlmGenerationFacts;
	readonly toolCall: ToolCallFacts;
	readonly networkRun: NetworkRunFacts;
	readonly task: TaskFacts;
	readonly learn: LearnFacts;
	readonly compaction: CompactionFacts;
}

/** What hooks stand around. */
export type HookFamily = keyof HookFacts;

interface HookResults {
	readonly run: RobotResult;
	readonly llmGeneration: LlmGenerationResult;
	readonly toolCall: ToolOutcome;
	readonly networkRun: unknown;
	readonly task: unknown;
	/** All that the robot has learned now. */
	readonly learn: readonly string[];
	/** The shorter history. */
	readonly compaction: readonly Message[];
}

/** What each family comes to. */
export type HookResult<Family extends HookFamily> = HookResults[Family];
