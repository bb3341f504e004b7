import { InferenceError } from "../errors/inference-error.js";
import type { RobotResult } from "../message/robot-result.js";
import type { StopReason } from "../message/stop-reason.js";
import { failureFacts } from "../stream/failure-facts.js";
import type { RunEnding } from "../stream/run-publisher.js";
import type { InterruptReason } from "../stream/stream-event.js";

/** Why a run with such a stop reason did not come to its own end. The others did, or failed. */
const INTERRUPTED: Readonly<Partial<Record<StopReason, InterruptReason>>> = {
	aborted: "user_cancellation",
	length: "max_tokens",
	content_filter: "content_filter",
	tool_limit: "tool_limit",
	doom_loop: "doom_loop",
	budget: "budget",
	interrupted: "stream_cut",
};

/** How the log says that a run ended with a result. */
export function endingOf({ id: resultId, stopReason }: RobotResult, signal: AbortSignal | undefined): RunEnding {
	const facts = { stopReason, resultId };
	const reason = INTERRUPTED[stopReason];
	if (reason !== undefined) return { event: "run.interrupted", reason: stopReason === "aborted" ? abortReason(signal) : reason, ...facts };
	if (stopReason !== "error") return { event: "run.completed", ...facts };
	const error = { code: "provider_error", message: "The provider ended the answer with an error it did not describe." };
	return { event: "run.failed", error, recoverable: false, ...facts };
}

/** How the log says that a run failed. */
export const failedEnding = (error: unknown): RunEnding => ({
	event: "run.failed",
	error: failureFacts(error),
	recoverable: isRecoverable(error),
});

/** What was thrown may throw when it is read. */
function isRecoverable(error: unknown): boolean {
	try {
		return InferenceError.isInstance(error) && error.isRetryable === true;
	} catch {
		return false;
	}
}

/** Why something was aborted. `AbortSignal.timeout()` says so in its reason. What else is given as a reason may throw when it is read. */
export function abortReason(signal: AbortSignal | undefined): "timeout" | "user_cancellation" {
	const reason: unknown = signal?.reason;
	try {
		return reason instanceof DOMException && reason.name === "TimeoutError" ? "timeout" : "user_cancellation";
	} catch {
		return "user_cancellation";
	}
}
