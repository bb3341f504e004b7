import type { LifecycleStep } from "../stream/stream-event.js";
import { type Envelope, type Facts, factsIn, nameIn, textIn } from "./event-facts.js";
import { isoTimes } from "./iso-times.js";
import { KnownStates } from "./known-states.js";
import { type LifecycleChange, lifecycleChange } from "./lifecycle-change.js";
import type { LifecycleEvent } from "./lifecycle-event.js";
import { type Projection, projectionOf } from "./projection.js";

/** What the events of a log come to as changes of robots, commands and sandboxes. */
export interface LifecycleProjection extends Projection<LifecycleEvent> {}

/**
 * Makes lifecycle events of the events of one log. Each run, the root and those beneath it, has its `run_start` and one end, with what
 * the robot of that run does then. While any run is open, the agent is `"running"` whatever happens to sandboxes and commands.
 * The states of sandboxes are kept apart, and forgotten with the run that told of them. One that has stopped or failed stays so until it
 * is told to be up again: its command, which ends for that, is told to have ended behind it.
 */
export function lifecycleProjection(): LifecycleProjection {
	const states = new KnownStates();
	const timeOf = isoTimes();
	return projectionOf<LifecycleEvent>({
		open: (event) => {
			const change = lifecycleChange(event);
			if (change !== undefined) states.note(change);
		},
		updateOf: (event) => {
			const change = lifecycleChange(event);
			return change && lifecycleEvent({ event, change, states, timestamp: timeOf(event.timestamp) ?? NO_TIME });
		},
		close: (event) => {
			if (event.event === "stream.ended") states.forgetAll();
			const change = lifecycleChange(event);
			if (change?.isOfRun && change.reason !== "run_start") states.forgetRun(change.runId);
		},
	});
}

interface Told {
	readonly event: Envelope;
	readonly change: LifecycleChange;
	readonly states: KnownStates;
	readonly timestamp: string;
}

function lifecycleEvent({ event, change, states, timestamp }: Told): LifecycleEvent | undefined {
	const { reason, runId, sandboxId, step } = change;
	const { data, sequenceNumber } = event;
	if (typeof sequenceNumber !== "number") return undefined;
	const browser = browserIn(step);
	const toolCallId = nameIn(data, "toolCallId");
	const detail = factsIn(step, "detail");
	return Object.freeze({
		sandboxId,
		sandbox: states.sandbox(change),
		agent: states.agent,
		timestamp,
		reason,
		...(browser !== undefined && { browser }),
		...(toolCallId !== undefined && { toolCallId }),
		...(detail !== undefined && { detail }),
		runId,
		sequenceNumber,
	});
}

/** What stands for a time that is none: the type has one always. */
const NO_TIME = new Date(0).toISOString();

function browserIn(step: Facts): LifecycleStep["browser"] {
	const browser = factsIn(step, "browser");
	const liveUrl = browser && textIn(browser, "liveUrl");
	if (browser === undefined || liveUrl === undefined) return undefined;
	const sessionId = nameIn(browser, "sessionId");
	const sessionTag = nameIn(browser, "sessionTag");
	return Object.freeze({ liveUrl, ...(sessionId !== undefined && { sessionId }), ...(sessionTag !== undefined && { sessionTag }) });
}
