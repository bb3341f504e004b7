import type { ContentBlock, ToolCallContent, ToolCallLocation } from "../stream/part-content.js";
import type { PlanEntry } from "../stream/stream-event.js";
import type { TokenUsage } from "../stream/token-usage.js";

/** What a run says or does, in the terms of the Agent Client Protocol. Everything but `update` is absent where nobody said it. */
export interface OutputEvent {
	readonly sessionId?: string;
	readonly update: SessionUpdate;
	/** ISO 8601. */
	readonly timestamp?: string;
	/** The model that answers. */
	readonly model?: string;
	/** The message it belongs to: everything of one answer of the model has the same. */
	readonly messageId?: string;
	/** On what a robot below another says: the call that started it. */
	readonly parentToolCallId?: string;
	/** Other facts, under the names of whoever reported them. */
	readonly extra?: Readonly<Record<string, unknown>>;
	/** The run it belongs to. Absent on what no log holds. */
	readonly runId?: string;
	/** The number of the event it was made of. Absent on what no log holds. */
	readonly sequenceNumber?: number;
}

/** Eight kinds, told apart by `sessionUpdate`. */
export type SessionUpdate =
	| AgentMessageChunk
	| AgentThoughtChunk
	| UserMessageChunk
	| ToolCallStart
	| ToolCallUpdate
	| Plan
	| AgentError
	| AgentUsage;

export interface AgentMessageChunk {
	readonly sessionUpdate: "agent_message_chunk";
	readonly content: ContentBlock;
}

export interface AgentThoughtChunk {
	readonly sessionUpdate: "agent_thought_chunk";
	readonly content: ContentBlock;
}

/** What a person had said, echoed. No work. */
export interface UserMessageChunk {
	readonly sessionUpdate: "user_message_chunk";
	readonly content: ContentBlock;
}

/** A call that the model asks for. */
export interface ToolCallStart {
	readonly sessionUpdate: "tool_call";
	readonly toolCallId: string;
	/** For people. */
	readonly title: string;
	/** The name the model called. */
	readonly toolName?: string;
	readonly kind: ToolKind;
	readonly status: ToolCallStatus;
	readonly rawInput?: unknown;
	readonly content?: readonly ToolCallContent[];
	readonly locations?: readonly ToolCallLocation[];
}

/** What became of a call. What is absent stays as it was; `content` replaces what was there. May come before its `tool_call`. */
export interface ToolCallUpdate {
	readonly sessionUpdate: "tool_call_update";
	readonly toolCallId: string;
	readonly status?: ToolCallStatus;
	readonly title?: string;
	readonly content?: readonly ToolCallContent[];
	readonly locations?: readonly ToolCallLocation[];
	/** The tool's own record of the result; of a script how it ended. */
	readonly rawOutput?: unknown;
}

/** The whole plan; it replaces the one before. */
export interface Plan {
	readonly sessionUpdate: "plan";
	readonly entries: readonly PlanEntry[];
}

/** Something went wrong. No work. */
export interface AgentError {
	readonly sessionUpdate: "error";
	readonly message: string;
	/** Whether the run, or the harness's turn, ends with it. */
	readonly fatal: boolean;
}

/** What was used. No work. */
export interface AgentUsage {
	readonly sessionUpdate: "usage";
	/** `call`: one answer of the model, the last for each `messageId` counts. `run`: the whole run, no further call. */
	readonly scope: "call" | "run";
	readonly usage: TokenUsage;
}

export type ToolKind = "read" | "edit" | "delete" | "move" | "search" | "execute" | "think" | "fetch" | "switch_mode" | "other";

export type ToolCallStatus = "pending" | "in_progress" | "completed" | "failed";
