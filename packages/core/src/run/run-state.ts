import type { LanguageModelV4CallOptions, LanguageModelV4Message } from "@ai-sdk/provider";
import type { BudgetLedger } from "../guard/budget-ledger.js";
import type { DoomLoopGuard } from "../guard/doom-loop.js";
import type { Pricing } from "../guard/pricing.js";
import { acceptableMessage } from "../history/acceptable-message.js";
import type { HookChain } from "../hook/hook-chain.js";
import type { Message, ToolCall, ToolResultMessage } from "../message/message.js";
import type { Model } from "../model/model.js";
import type { RunPublisher } from "../stream/run-publisher.js";
import type { TokenUsage } from "../stream/token-usage.js";
import type { ToolContext } from "../tool/tool.js";
import type { AnswerForm } from "./answer-schema.js";
import type { RetryPolicy } from "./retry.js";
import type { RunTools } from "./run-tools.js";

/** What a run knows and grows. Nobody else holds it. */
export interface RunState {
	/** What the model is shown: system, history and this turn. */
	readonly prompt: LanguageModelV4Message[];
	/** This run's part of the prompt, the user's message first. */
	readonly turn: LanguageModelV4Message[];
	readonly output: Message[];
	readonly toolCalls: ToolResultMessage[];
	/** What the answer is, where it was to be of a certain form. */
	data?: unknown;
	/** All answers' so far. */
	usage: TokenUsage;
}

/** What a run works with. */
export interface RunPorts {
	readonly model: Model;
	/** How the log names it: as it was chosen, `"provider/model"`. */
	readonly modelLabel: string;
	readonly tools: RunTools;
	/** The model's call options without the prompt and the tools. */
	readonly settings: Omit<LanguageModelV4CallOptions, "prompt" | "tools">;
	readonly maxToolRounds: number;
	/** What the answer is to look like. */
	readonly form: AnswerForm | undefined;
	readonly doomLoop: DoomLoopGuard;
	/** Absent where there is no limit: nothing is estimated then. */
	readonly budget: BudgetLedger | undefined;
	readonly pricing: Pricing | undefined;
	/** Told what each answer used, as it comes. Must not throw. */
	readonly noteUsage: (usage: TokenUsage) => void;
	readonly retry: RetryPolicy;
	readonly signal: AbortSignal | undefined;
	readonly onText: ((delta: string) => void) | undefined;
	/** Must not throw. */
	readonly onToolCall: ((call: ToolCall) => void) | undefined;
	/** Must not throw. */
	readonly onToolResult: ((result: ToolResultMessage) => void) | undefined;
	/** Absent where nobody has any. */
	readonly hooks: HookChain | undefined;
	/** What tools are told besides: whose run it is, and its memory. */
	readonly surroundings: Pick<ToolContext, "robotName" | "memory">;
	/** What publishes this run. */
	readonly run: RunPublisher;
	/** The ids of all calls that the robot's history holds or will hold; this run's are added. */
	readonly callIds: Set<string>;
}

/** Adds a message to prompt and turn, as every provider takes it. */
export function addMessage(state: RunState, given: LanguageModelV4Message): void {
	const message = acceptableMessage(given);
	if (message === undefined) return;
	state.prompt.push(message);
	state.turn.push(message);
}

/** What the model said last; empty where it said nothing. */
export function lastTextOf({ output }: RunState): string {
	const last = output.at(-1);
	return last?.type === "text" ? last.content : "";
}
