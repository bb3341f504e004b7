import type { LanguageModelV4, LanguageModelV4Message, LanguageModelV4StreamResult } from "@ai-sdk/provider";
import { ABORTED, unlessAborted } from "../process/unless-aborted.js";
import { failureFacts } from "../stream/failure-facts.js";
import type { FailureFacts } from "../stream/stream-event.js";
import { EmptyStreamError, isRetryable, legible, modelFailure, retryAfterOf } from "./model-failure.js";
import { readStream } from "./read-stream.js";
import { emptyReply, type Reply } from "./reply.js";
import { closeIntake, hasText, newIntake, type ReplyIntake } from "./reply-intake.js";
import { retryDelay } from "./retry.js";
import type { RunPorts } from "./run-state.js";

/**
 * One reply of the model, asked for again where that may help. Once text has come a failure is final, whoever listens: the text of a
 * second attempt would come on top of the first one's. An abort gives the reply as far as it came.
 */
export async function requestReply(prompt: readonly LanguageModelV4Message[], ports: RunPorts): Promise<Reply> {
	for (let attempt = 1; ; attempt++) {
		ports.run.beginMessage();
		const step = ports.run.step("model", attempt);
		const intake = newIntake(ports);
		try {
			const reply = await attemptReply(prompt, intake);
			const failure = failureOfReply(reply);
			closeIntake(intake, failure);
			if (failure === undefined) step.complete(reply.finishReason);
			else step.fail(failure);
			return reply;
		} catch (thrown) {
			const error = legible(thrown);
			const aborted = ports.signal?.aborted === true;
			const failure = aborted ? ABORTED_FACTS : failureFacts(error);
			closeIntake(intake, failure);
			const told = intake.reply.text !== "";
			const delayMs =
				aborted || told || !isRetryable(error) ? undefined : retryDelay(attempt, retryAfterOf(error, Date.now()), ports.retry);
			step.fail(failure, delayMs);
			if (aborted) return abortedReply();
			if (delayMs === undefined) throw modelFailure(error, ports.model, attempt);
			if (await abortedWhileWaiting(delayMs, ports)) return abortedReply();
		}
	}
}

async function attemptReply(prompt: readonly LanguageModelV4Message[], intake: ReplyIntake): Promise<Reply> {
	const { reply, ports } = intake;
	const { signal } = ports;
	// V3 streams a subset of V4's parts and reads the parts of a prompt that a robot writes
	const model = ports.model as LanguageModelV4;
	// of a model that is not typed it need not be a promise
	const tools = ports.tools.described;
	const asked = Promise.resolve(model.doStream({ ...ports.settings, ...(tools && { tools }), prompt: [...prompt] }));
	const answer = await unlessAborted(asked, signal);
	if (answer === ABORTED) {
		closeLater(asked);
		return abortedReply();
	}
	await readStream(answer.stream, intake);
	if (isCut(reply) && !reply.aborted && !hasText(intake)) throw new EmptyStreamError("the stream ended before an answer came");
	for (const message of reply.warnings) ports.run.tell("metadata.updated", { type: "warning", message });
	return reply;
}

const ABORTED_FACTS: FailureFacts = { code: "aborted", message: "The run was aborted." };

/** Why a reply that came to an end is not whole; `undefined` when it is, or was withheld as a whole. */
function failureOfReply(reply: Reply): FailureFacts | undefined {
	if (reply.aborted) return ABORTED_FACTS;
	if (isCut(reply)) return { code: "stream_cut", message: "The provider's stream ended without saying that it was complete." };
	return reply.finishReason === "error" ? { code: "provider_error", message: "The provider ended the answer with an error." } : undefined;
}

const isCut = ({ finishReason }: Reply): boolean => finishReason === undefined || finishReason === "interrupted";

/** A model that ignores the signal still answers at some time; its connection must not stay open. */
function closeLater(asked: PromiseLike<LanguageModelV4StreamResult>): void {
	asked.then(
		({ stream }) => void stream.cancel().catch(() => {}),
		() => {},
	);
}

async function abortedWhileWaiting(delayMs: number, { retry, signal }: RunPorts): Promise<boolean> {
	try {
		await unlessAborted(retry.sleep(delayMs, signal), signal);
	} catch (error) {
		if (!signal?.aborted) throw error;
	}
	return signal?.aborted === true;
}

const abortedReply = (): Reply => ({ ...emptyReply(), aborted: true });
