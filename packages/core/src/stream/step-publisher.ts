import type { FailureFacts } from "./stream-event.js";

/** One step of a run while it goes on, e.g. one request to the model. Ended once. */
export interface StepPublisher {
	complete(finishReason?: string): void;
	/** @param retryInMs It is tried again after so many milliseconds. Absent: it is not. */
	fail(error: FailureFacts, retryInMs?: number): void;
}

export interface StepPorts {
	readonly publish: (event: "step.started" | "step.completed" | "step.failed", data: object) => void;
	readonly onEnd: (step: StepPublisher) => void;
}

/** Publishes a step's beginning at once. */
export function publishStep(
	facts: { readonly stepId: string; readonly name: string; readonly attempt: number },
	ports: StepPorts,
): StepPublisher {
	const { stepId, name } = facts;
	const startedAt = performance.now();
	let isOpen = true;
	const end = (event: "step.completed" | "step.failed", more: object): void => {
		if (!isOpen) return;
		isOpen = false;
		ports.publish(event, { stepId, name, durationMs: performance.now() - startedAt, ...more });
		ports.onEnd(step);
	};
	const step: StepPublisher = {
		complete: (finishReason) => end("step.completed", finishReason === undefined ? {} : { finishReason }),
		fail: (error, retryInMs) => end("step.failed", retryInMs === undefined ? { error } : { error, retryInMs }),
	};
	ports.publish("step.started", facts);
	return step;
}
