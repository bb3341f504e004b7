import type { Readable, Writable } from "node:stream";
import { onAbort } from "../process/on-abort.js";
import { messageOf } from "../text/message-of.js";
import type { Ask } from "./ask.js";
import { dropTypedAhead } from "./drop-typed-ahead.js";
import { promptOf, questionText } from "./question-text.js";
import { readLine } from "./read-line.js";

/** Two streams, e.g. those of a terminal, and how is asked on them. */
export interface StreamsToAskOn {
	readonly input: Readable;
	readonly output: Writable;
	/** Whether what was typed before a question was to be seen is no answer to it. */
	readonly dropsTypedAhead: boolean;
}

/** Asks by lines, so that it needs no terminal. */
export const onStreams = ({ input, output, dropsTypedAhead }: StreamsToAskOn): Ask => {
	return async (question, { signal }) => {
		await show(questionText(question), output, signal);
		const hasDropped = dropsTypedAhead && (await dropTypedAhead(input, signal));
		await show(`${hasDropped ? TYPED_AHEAD : ""}${promptOf(question)}`, output, signal);
		const line = await readLine(input, signal);
		const isEchoed = line !== undefined && (input as { readonly isTTY?: boolean }).isTTY === true;
		const closing = signal.aborted ? "\n(nobody waits for this answer any more)\n" : "\n";
		// whether anybody sees it changes nothing any more
		if (!isEchoed) show(closing, output).catch(() => {});
		return line;
	};
};

const TYPED_AHEAD = "(what was typed before this question is no answer to it)\n";

/** Writes it. Rejects where that fails; an abort ends the wait for an output that takes nothing. */
function show(text: string, output: Writable, signal?: AbortSignal): Promise<void> {
	return new Promise((resolve, reject) => {
		const stopHeeding = signal && onAbort(signal, resolve);
		if (signal?.aborted) resolve();
		// the callback tells of it; the event, if nobody heard it, would end the process
		const ignore = (): void => {};
		output.on("error", ignore);
		output.write(text, (error) => {
			stopHeeding?.();
			// the event of a failure comes after this
			if (error) setImmediate(() => output.off("error", ignore));
			else output.off("error", ignore);
			if (error) reject(new Error(`the question could not be shown: ${messageOf(error)}`));
			else resolve();
		});
	});
}
