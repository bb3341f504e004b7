import { onAbort } from "../process/on-abort.js";
import { describeValue } from "../text/describe-value.js";
import type { Question } from "./question.js";

/**
 * Puts a question to a person. Resolves with what was typed, `undefined` where there is nobody to answer; may reject. The signal is aborted
 * when the answer is not waited for any more.
 */
export type Ask = (question: Question, context: { readonly signal: AbortSignal }) => Promise<string | undefined>;

/** A function of a user's that does not heed the signal is left behind when it is aborted, and what is no text is refused. */
export const heeding = (ask: Ask): Ask => {
	return (question, { signal }) =>
		new Promise((resolve, reject) => {
			const stopHeeding = onAbort(signal, () => resolve(undefined));
			const answered = (typed: unknown): void => {
				if (typeof typed === "string" || typed === undefined || typed === null) resolve(typed ?? undefined);
				else reject(new Error(`ask() answered with ${describeValue(typed)}, not with a text`));
			};
			Promise.resolve()
				.then(() => ask(question, { signal }))
				.then(answered, reject)
				.finally(stopHeeding);
		});
};
