import type { LifecycleReason } from "../stream/lifecycle-reason.js";
import { type Envelope, type Facts, factsIn, nameIn, runIdIn, textIn } from "./event-facts.js";
import { STATES_AFTER } from "./lifecycle-states.js";

/** What an event says of a sandbox, a command or a run. */
export interface LifecycleChange {
	readonly reason: LifecycleReason;
	readonly runId: string;
	/** `null` where nothing confines, and on what a whole run does. */
	readonly sandboxId: string | null;
	/** What is told of it besides. */
	readonly step: Facts;
	/** Whether a run of the log begins or ends with it. */
	readonly isOfRun: boolean;
}

const RUN_REASONS: ReadonlyMap<string, LifecycleReason> = new Map([
	["run.started", "run_start"],
	["run.completed", "run_complete"],
	["run.failed", "run_failed"],
	["run.interrupted", "run_interrupted"],
] as const);

/** `undefined` where an event is about nothing of the kind. */
export function lifecycleChange({ event, data }: Envelope): LifecycleChange | undefined {
	const ofRun = RUN_REASONS.get(event);
	if (ofRun !== undefined) return { reason: ofRun, runId: runIdIn(data), sandboxId: null, step: stepOfRun(data), isOfRun: true };
	if (event !== "metadata.updated" || data.type !== "lifecycle") return undefined;
	const step = factsIn(data, "lifecycle") ?? NOTHING_MORE;
	const reason = textIn(step, "reason") ?? "";
	if (!isReason(reason)) return undefined;
	return { reason, runId: runIdIn(data), sandboxId: nameIn(step, "sandboxId") ?? null, step, isOfRun: false };
}

/** Why a run ended early, or failed, in the log's words. */
function stepOfRun({ reason, error }: Facts): Facts {
	const detail = { ...(reason !== undefined && { reason }), ...(error !== undefined && { error }) };
	return Object.keys(detail).length === 0 ? NOTHING_MORE : { detail };
}

const isReason = (word: string): word is LifecycleReason => Object.hasOwn(STATES_AFTER, word);

const NOTHING_MORE: Facts = Object.freeze({});
