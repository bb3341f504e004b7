/** The twenty names, in the order in which a run comes by them. */
const ALL = [
	"run.started",
	"run.completed",
	"run.failed",
	"run.interrupted",
	"step.started",
	"step.completed",
	"step.failed",
	"part.created",
	"part.completed",
	"part.failed",
	"text.delta",
	"tool_call.arguments.delta",
	"tool_call.output.delta",
	"reasoning.delta",
	"data.delta",
	"hitl.requested",
	"hitl.resolved",
	"usage.updated",
	"metadata.updated",
	"stream.ended",
] as const;

const LIFECYCLE = ["run.started", "run.completed", "run.failed", "run.interrupted"] as const;

const DELTA = ["text.delta", "tool_call.arguments.delta", "tool_call.output.delta", "reasoning.delta", "data.delta"] as const;

/** What an event of a run may be called. */
export type StreamEventName = (typeof ALL)[number];
/** The beginning of a run and its three ends. */
export type LifecycleEventName = (typeof LIFECYCLE)[number];
/** A piece of a part. */
export type DeltaEventName = (typeof DELTA)[number];

const names: ReadonlySet<string> = new Set(ALL);
const lifecycleNames: ReadonlySet<string> = new Set(LIFECYCLE);
const deltaNames: ReadonlySet<string> = new Set(DELTA);

/** The names of the events of a run, and what kind each is. */
export interface StreamEventNames {
	readonly ALL: typeof ALL;
	readonly LIFECYCLE: typeof LIFECYCLE;
	readonly DELTA: typeof DELTA;
	isLifecycle(event: string): event is LifecycleEventName;
	isDelta(event: string): event is DeltaEventName;
	isValid(event: string): event is StreamEventName;
}

export const StreamEvents: StreamEventNames = Object.freeze({
	ALL: Object.freeze(ALL),
	LIFECYCLE: Object.freeze(LIFECYCLE),
	DELTA: Object.freeze(DELTA),
	isLifecycle: (event: string): event is LifecycleEventName => lifecycleNames.has(event),
	isDelta: (event: string): event is DeltaEventName => deltaNames.has(event),
	isValid: (event: string): event is StreamEventName => names.has(event),
});
