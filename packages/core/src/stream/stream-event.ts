import type { LifecycleReason } from "./lifecycle-reason.js";
import type { ToolCallContent, ToolCallLocation } from "./part-content.js";
import type { ScriptOutcome } from "./script-outcome.js";
import type { StreamEventName } from "./stream-events.js";
import type { TokenUsage } from "./token-usage.js";

/** What the data of every event says of where it comes from. */
export type EventOrigin = {
	/** The run that published it. */
	readonly runId: string;
	/** The message it belongs to: each answer of a model is one, with the calls it asks for. */
	readonly messageId: string;
	/** What kind of run it is: `"robot"`, `"network"`, `"tool"`, `"script"` or a word of the publisher's own. */
	readonly scope: string;
	/** The run beneath which this one runs. Absent on a root run. */
	readonly parentRunId?: string;
};

/** One event as it is published, kept and sent. Frozen, with everything in it. */
export interface PublishedEvent<Name extends string = string, Data = Readonly<Record<string, unknown>>> {
	readonly event: Name;
	readonly data: Data & EventOrigin;
	/** Milliseconds since 1970, by the publisher's clock. A clock may go back: the order is that of `sequenceNumber`. */
	readonly timestamp: number;
	/** From 1, without gaps over a root run and everything beneath it. */
	readonly sequenceNumber: number;
	/** `"publish-<sequenceNumber>:<event>"` */
	readonly id: string;
	/** On an event that stands for several deltas in a row: the number of the first. `sequenceNumber` is that of the last. */
	readonly firstSequenceNumber?: number;
}

/**
 * The events of runs, told apart by `event`: the twenty, and those that networks and buses have of their own. A tool may publish under a name of its own: give `switch` a `default`. Each is a
 * `PublishedEvent`, as which it may be compared with any name: that is why what their data holds are types and no interfaces.
 */
export type StreamEvent = { [Name in StreamEventName]: PublishedEvent<Name, StreamEventData[Name]> }[StreamEventName] | RoomEvent;

/** An event of a network's or a bus's own. What its data hold is said where these are told of: `NetworkRecord`, `MessageFacts`, … */
export type RoomEvent = PublishedEvent<`network.${string}` | `bus.${string}`>;

/** An event by its name. */
export type StreamEventOf<Name extends StreamEventName> = Extract<StreamEvent, { readonly event: Name }>;

/** What a part is a piece of. */
export type PartType = "text" | "reasoning" | "tool-call" | "tool-output" | "data" | "file" | "refusal";

/** What is known of a part from its beginning. Repeated by the events that end it, so that each can be read alone. */
export type PartFacts = {
	/** At most 40 characters of `A-Z a-z 0-9 _ -`. */
	readonly partId: string;
	readonly type: PartType;
	/** Whose text it is. Absent: the robot's. `"user"`: what a person had said, echoed. */
	readonly role?: "user";
	/** On `tool-call` and `tool-output`: the call, unique in the log. */
	readonly toolCallId?: string;
	/** The name the model called. */
	readonly toolName?: string;
	/** The skill a tool comes from. */
	readonly skill?: string;
	/** Whether the provider made the call itself. */
	readonly providerExecuted?: boolean;
	/** On `data`: what it is, e.g. `"plan"`. */
	readonly name?: string;
	/** On `file`: its media type, e.g. `"image/png"`. */
	readonly mediaType?: string;
	/** On `file`: where it lies, where the model gave an address instead of its content. */
	readonly uri?: string;
	/** On `tool-call` and `tool-output`: for people and icons, as an output update has them. */
	readonly title?: string;
	readonly kind?: string;
	readonly locations?: readonly ToolCallLocation[];
	/** On `tool-call`: what its card shows before there is output. */
	readonly content?: readonly ToolCallContent[];
	/** The session it belongs to, where a harness has them. */
	readonly sessionId?: string;
	/** The model that says it, where that is not the run's. */
	readonly model?: string;
	/** The call within which it is said, where that is not the one that started the run. */
	readonly parentToolCallId?: string;
	/** Other facts, under the names of whoever reported them. */
	readonly extra?: Readonly<Record<string, unknown>>;
};

/** How a part ended. */
export type PartEnd = PartFacts & {
	/** Its deltas, joined. */
	readonly finalContent: string;
	/** On `tool-call`: the arguments as parsed JSON. Absent where they were no JSON: `finalContent` has the text. */
	readonly input?: unknown;
	/** On `tool-output`: what the model gets to read. */
	readonly result?: string;
	/** On `tool-output`: milliseconds the call took. */
	readonly durationMs?: number;
	/** On `tool-output`: how the script ended, where the tool is one. */
	readonly script?: ScriptOutcome;
	/** On `tool-output`: the tool's own record of the result, where there is more than text. */
	readonly rawOutput?: unknown;
	/** On `tool-output`: the characters of output behind the first `MAX_STREAMED_OUTPUT`, which were not streamed. */
	readonly droppedCharacters?: number;
};

/** What an event says of something that went wrong. */
export interface FailureFacts {
	/** A stable word, e.g. `"inference"`. */
	readonly code: string;
	readonly message: string;
}

/** Why a run ended before its work was done. */
export type InterruptReason =
	| "user_cancellation"
	| "timeout"
	| "max_tokens"
	| "content_filter"
	| "tool_limit"
	| "doom_loop"
	| "budget"
	| "stream_cut"
	| "parent_ended"
	| "other";

/** How a run ended. */
export type RunEnd = {
	readonly name: string;
	/** Milliseconds, by a clock that does not go back. */
	readonly durationMs: number;
	/** The `stopReason` of the result. Absent where there is none. */
	readonly stopReason?: string;
	/** The `id` of the result. */
	readonly resultId?: string;
};

/** A plan's entry. */
export interface PlanEntry {
	readonly content: string;
	readonly status: "pending" | "in_progress" | "completed";
	readonly priority: "high" | "medium" | "low";
}

/**
 * Why a skill was chosen. `named`: somebody asked for it by name. `fits`: the embedder is sure. `may_fit`: it is not. `on_request`: it fits, and skills are
 * loaded by the model only (`activation: "tool"`). `beyond_top_k`: it fits, and `topK` others fit better. `over_budget`: it fits, and its instructions would be
 * too long.
 */
export type SkillReason = "named" | "fits" | "may_fit" | "on_request" | "beyond_top_k" | "over_budget";

/** A skill that fitted a message. */
export interface MatchedSkill {
	readonly skill: string;
	/** The bundle's directory. */
	readonly path: string;
	/** `active`: its instructions and scripts are in the run. `candidate`: the model is told of it and may load it. */
	readonly tier: "active" | "candidate";
	readonly reason: SkillReason;
	/** Absent where it was named and not matched. */
	readonly score?: number;
	readonly confidence?: number;
}

/** Why another embedder than the chosen one matched skills. */
export interface MatcherFallback {
	/** The id of the one that was chosen. */
	readonly embedder: string;
	/**
	 * `failed`: it threw, or gave what are no vectors. `slow`: the message had no vector in time. `preparing`: the skills have none yet; that goes on,
	 * and later messages find them.
	 */
	readonly reason: "failed" | "slow" | "preparing";
	/** One line for a person. */
	readonly message: string;
}

/** A step in the life of a sandbox or a command. */
export interface LifecycleStep {
	readonly reason: LifecycleReason;
	/** Absent where nothing confines. */
	readonly sandboxId?: string;
	readonly browser?: { readonly liveUrl: string; readonly sessionId?: string; readonly sessionTag?: string };
	/** What there is to say besides, e.g. `exitCode`, `confinement`, `grant`. */
	readonly detail?: Readonly<Record<string, unknown>>;
}

/** What `metadata.updated` says, told apart by `type`. */
export type MetadataFacts =
	/** Something the run went on without. `skill`: something of that skill that cannot be used as it is written. */
	| { readonly type: "warning"; readonly message: string; readonly skill?: string }
	/** Told once, before the first step, where there are skills to choose from. Empty: none fitted. `embedder`: whose scores these are. */
	| { readonly type: "skills"; readonly matches: readonly MatchedSkill[]; readonly embedder?: string; readonly fallback?: MatcherFallback }
	/** The model took a skill that it was offered; `tools` came with it. */
	| { readonly type: "skill_loaded"; readonly skill: string; readonly path: string; readonly tools: readonly string[] }
	/** The history was made shorter before the model was asked. */
	| { readonly type: "compaction"; readonly messagesBefore: number; readonly messagesAfter: number }
	| { readonly type: "lifecycle"; readonly lifecycle: LifecycleStep; readonly toolCallId?: string };

/** What the data of each event holds besides its origin. */
export interface StreamEventData {
	readonly "run.started": {
		readonly name: string;
		readonly input?: string;
		/** `"provider/model"`, where a model answers. */
		readonly model?: string;
		/** On a run that a tool started: the call. */
		readonly parentToolCallId?: string;
	};
	readonly "run.completed": RunEnd;
	readonly "run.failed": RunEnd & { readonly error: FailureFacts /** Whether the same may work later. */; readonly recoverable: boolean };
	readonly "run.interrupted": RunEnd & { readonly reason: InterruptReason };
	/** One request to the model. */
	readonly "step.started": { readonly stepId: string; readonly name: string /** From 1. */; readonly attempt: number };
	readonly "step.completed": {
		readonly stepId: string;
		readonly name: string;
		readonly durationMs: number;
		readonly finishReason?: string;
	};
	readonly "step.failed": {
		readonly stepId: string;
		readonly name: string;
		readonly durationMs: number;
		readonly error: FailureFacts;
		/** It is tried again after so many milliseconds. Absent: it is not. */
		readonly retryInMs?: number;
	};
	readonly "part.created": PartFacts;
	readonly "part.completed": PartEnd;
	readonly "part.failed": PartEnd & { readonly error: FailureFacts };
	readonly "text.delta": { readonly partId: string; readonly delta: string };
	readonly "reasoning.delta": { readonly partId: string; readonly delta: string };
	readonly "tool_call.arguments.delta": { readonly partId: string; readonly delta: string; readonly toolCallId: string };
	readonly "tool_call.output.delta": {
		readonly partId: string;
		readonly delta: string;
		readonly toolCallId: string;
		readonly stream: "stdout" | "stderr";
	};
	readonly "data.delta": { readonly partId: string; readonly delta: string };
	readonly "hitl.requested": {
		readonly requestId: string;
		readonly toolCalls: readonly {
			readonly toolName: string;
			readonly toolInput: unknown;
			/** The call, where a tool asks while it runs. */
			readonly toolCallId?: string;
			/** The part that stands for the call, where whoever asks knows it. */
			readonly partId?: string;
		}[];
		readonly expiresAt?: number;
	};
	readonly "hitl.resolved": { readonly requestId: string; readonly resolution: "approved" | "denied" | "partial" };
	/** `call`: one answer of the model, the last for each `messageId` counts. `run`: the whole run, no further call. */
	readonly "usage.updated": { readonly usageScope: "call" | "run"; readonly usage: TokenUsage; readonly model?: string };
	readonly "metadata.updated": MetadataFacts;
	/** Nothing more comes. Once, on the root run. */
	readonly "stream.ended": Readonly<Record<never, never>>;
}
