import type { ToolCallContent, ToolCallLocation } from "../stream/part-content.js";
import type { ToolCallStart, ToolCallStatus, ToolCallUpdate, ToolKind } from "./output-event.js";

/** What is known of a call: a card of a user interface. */
export interface ToolCallState extends ToolCallFields {
	readonly toolCallId: string;
	/** `"pending"` until somebody says otherwise. Once `"completed"` or `"failed"` it stays so. */
	readonly status: ToolCallStatus;
	/** Whether its `tool_call` was seen. Updates may come before it: then there may be no title yet. */
	readonly isAnnounced: boolean;
	/** Where it stands in the order of events: for `reduceToolCalls` alone. Plain data, to be kept with the rest. */
	readonly order: ToolCallOrder;
}

/** What is as the latest event that names it has it. Absent where none does. */
export interface ToolCallFields {
	/** For people. */
	readonly title?: string;
	/** The name the model called. */
	readonly toolName?: string;
	readonly kind?: ToolKind;
	readonly rawInput?: unknown;
	readonly content?: readonly ToolCallContent[];
	readonly locations?: readonly ToolCallLocation[];
	readonly rawOutput?: unknown;
	/** The run whose model asks for it. */
	readonly runId?: string;
	/** On a call of a robot below another: the call that started that robot. */
	readonly parentToolCallId?: string;
}

/** Numbers of events; 0 is that of events without one. */
export interface ToolCallOrder {
	/** By this event an earlier call with the same id had been announced and had ended. 0: there was none. */
	readonly after: number;
	/** Its `tool_call` events, in order: one, but for those who repeat it. */
	readonly calls: readonly number[];
	/** The last event that had it in progress. */
	readonly inProgress?: number;
	/** The events that ended it, in order. The first counts. */
	readonly ends: readonly ToolCallEnd[];
	/** The event that each field comes from. */
	readonly fields: FieldNumbers;
}

export type FieldNumbers = { readonly [Field in keyof ToolCallFields]?: number };

export interface ToolCallEnd {
	readonly number: number;
	readonly status: "completed" | "failed";
}

/** What an event tells of a call. */
export interface CallEvent {
	readonly update: ToolCallStart | ToolCallUpdate;
	readonly runId: string | undefined;
	readonly parentToolCallId: string | undefined;
	/** 0 where the event has none. */
	readonly number: number;
}
