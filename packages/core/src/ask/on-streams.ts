import type { Readable, Writable } from "node:stream";
import { onAbort } from "../process/on-abort.js";
import { messageOf } from "../text/message-of.js";
import type { Ask } from "./ask.js";
import { questionText } from "./question-text.js";
import { readLine } from "./read-line.js";

/** Asks on two streams, e.g. those of a terminal: by lines, so that it needs none. */
export const onStreams = (input: Readable, output: Writable): Ask => {
	return async (question, { signal }) => {
		await show(questionText(question), output, signal);
		const line = await readLine(input, signal);
		const isEchoed = line !== undefined && (input as { readonly isTTY?: boolean }).isTTY === true;
		const closing = signal.aborted ? "\n(nobody waits for this answer any more)\n" : "\n";
		// whether anybody sees it changes nothing any more
		if (!isEchoed) show(closing, output).catch(() => {});
		return line;
	};
};

/** Writes it. Rejects where that fails; an abort ends the wait for an output that takes nothing. */
function show(text: string, output: Writable, signal?: AbortSignal): Promise<void> {
	return new Promise((resolve, reject) => {
		const stopHeeding = signal && onAbort(signal, resolve);
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
