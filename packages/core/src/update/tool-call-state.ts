import type { ToolCallContent, ToolCallLocation, ToolCallStatus, ToolKind } from "./output-event.js";

/** What is known of a call: a card of a user interface. */
export interface ToolCallState extends ToolCallFields {
	readonly toolCallId: string;
	/** `"pending"` until somebody says otherwise. Once `"completed"` or `"failed"` it stays so. */
	readonly status: ToolCallStatus;
	/** Whether its `tool_call` was seen. Updates may come before it: then there is no title yet. */
	readonly isAnnounced: boolean;
	/** Where in the order of events it stands: for `reduceToolCalls` alone. Plain data, to be kept with the rest. */
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
	/** An earlier call with the same id had ended by this number. 0: there was none. */
	readonly after: number;
	/** The first and the last `tool_call`. */
	readonly calls?: { readonly first: number; readonly last: number };
	/** The last event that had it in progress. */
	readonly inProgress?: number;
	/** The first and the last event that ended it. */
	readonly ends?: { readonly first: ToolCallEnd; readonly last: ToolCallEnd };
	/** The event that each field comes from. */
	readonly fields: { readonly [Field in keyof ToolCallFields]?: number };
}

export interface ToolCallEnd {
	readonly number: number;
	readonly status: "completed" | "failed";
}
