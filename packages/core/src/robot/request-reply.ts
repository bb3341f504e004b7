import type { LanguageModelV4, LanguageModelV4Message, LanguageModelV4StreamResult } from "@ai-sdk/provider";
import { messageOf } from "../tool/error-text.js";
import { ABORTED, unlessAborted } from "./abort.js";
import { EmptyStreamError, isRetryable, modelFailure, retryAfterOf } from "./model-failure.js";
import { readStream } from "./read-stream.js";
import { emptyReply, type Reply } from "./reply.js";
import { retryDelay } from "./retry.js";
import type { RunPorts } from "./run-state.js";

/**
 * One reply of the model, asked for again where that may help. Once a listener has been given text, a failure is final: the text of
 * a second attempt would come on top of the first one's. An abort gives the reply as far as it came.
 */
export async function requestReply(prompt: readonly LanguageModelV4Message[], ports: RunPorts): Promise<Reply> {
	for (let attempt = 1; ; attempt++) {
		let told = false;
		const tell = ports.onText;
		const onText =
			tell &&
			((delta: string): void => {
				told ||= delta !== "";
				tell(delta);
			});
		try {
			return await attemptReply(prompt, ports, onText);
		} catch (error) {
			if (ports.signal?.aborted) return abortedReply();
			const delayMs = told || !isRetryable(error) ? undefined : retryDelay(attempt, retryAfterOf(error, Date.now()), ports.retry);
			if (delayMs === undefined) throw modelFailure(error, ports.model, attempt);
			ports.emit?.({ type: "retry", attempt, delayMs, message: messageOf(error) });
			if (await abortedWhileWaiting(delayMs, ports)) return abortedReply();
		}
	}
}

async function attemptReply(prompt: readonly LanguageModelV4Message[], ports: RunPorts, onText: RunPorts["onText"]): Promise<Reply> {
	const { signal } = ports;
	// V3 streams a subset of V4's parts and reads the parts of a prompt that a robot writes
	const model = ports.model as LanguageModelV4;
	const asked = model.doStream({ ...ports.settings, prompt: [...prompt] });
	const answer = await unlessAborted(asked, signal);
	if (answer === ABORTED) {
		closeLater(asked);
		return abortedReply();
	}
	const reply = await readStream(answer.stream, { onText, signal });
	if (isCut(reply) && !reply.aborted && reply.text === "") throw new EmptyStreamError("the stream ended before an answer came");
	for (const message of reply.warnings) ports.emit?.({ type: "warning", message });
	return reply;
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
