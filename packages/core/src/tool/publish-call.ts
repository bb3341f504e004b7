import type { LifecycleReason } from "../stream/lifecycle-reason.js";
import { withinCall } from "../stream/open-run.js";
import type { RunPublisher } from "../stream/run-publisher.js";
import type { FailureFacts, LifecycleStep } from "../stream/stream-event.js";
import { shorten } from "../text/shorten.js";
import type { CallContext } from "./call-context.js";
import type { ToolOutcome } from "./tool-outcome.js";

/** A call whose output is published. */
export interface PublishedCall {
	readonly toolCallId: string;
	readonly toolName: string;
	readonly skill?: string;
}

/** A call that was made, or was not, and how long it took. */
export interface TimedOutcome {
	readonly outcome: ToolOutcome;
	readonly durationMs: number;
}

/**
 * Makes a call whose output, steps and end are told to the run. What a tool that was left behind still says is dropped.
 *
 * @param make Must not throw: what went wrong is an outcome.
 */
export async function publishCall(
	run: RunPublisher,
	call: PublishedCall,
	make: (context: CallContext) => Promise<ToolOutcome>,
	signal?: AbortSignal,
): Promise<TimedOutcome> {
	const part = run.part({ ...call, type: "tool-output" });
	const startedAt = performance.now();
	let isConfined = false;
	const step = (reason: LifecycleReason, detail: object | undefined): LifecycleStep => ({
		reason,
		...(isConfined && { sandboxId: call.toolCallId }),
		...(detail && { detail: { ...detail } }),
	});
	const outcome = await make({
		...(signal && { signal }),
		toolCallId: call.toolCallId,
		run: withinCall(run, call.toolCallId, signal),
		runWithin: (own) => withinCall(run, call.toolCallId, own),
		onOutput: (chunk, stream = "stdout") => {
			if (!part.isOpen || typeof chunk !== "string" || (stream !== "stdout" && stream !== "stderr")) return;
			run.output(chunk, stream);
			part.delta(chunk, stream);
		},
		onLifecycle: (reason, detail) => {
			if (!part.isOpen) return;
			isConfined ||= reason === "sandbox_boot";
			run.tell("metadata.updated", { type: "lifecycle", toolCallId: call.toolCallId, lifecycle: step(reason, detail) });
		},
	});
	const durationMs = performance.now() - startedAt;
	const { text: result, isError, script } = outcome;
	const ending = { result, durationMs, ...(script && { script }) };
	if (isError) part.fail(failureOf(outcome), ending);
	else part.complete(ending);
	return { outcome, durationMs };
}

/** Publishes that a call was not made, and what the model is told instead. */
export function publishRefusedCall(run: RunPublisher, call: PublishedCall, outcome: ToolOutcome): void {
	run.part({ ...call, type: "tool-output" }).fail(failureOf(outcome), { result: outcome.text, durationMs: 0 });
}

const LONGEST_MESSAGE = 300;

/** What the log says of a call that failed. */
export function failureOf({ text, script, timedOut }: ToolOutcome): FailureFacts {
	const refusal = script?.refusal;
	if (refusal !== undefined) return { code: refusal.code, message: refusal.message };
	const code = timedOut || script?.timedOut ? "timed_out" : script?.aborted ? "aborted" : "tool_failed";
	return { code, message: shorten(text, LONGEST_MESSAGE) };
}
