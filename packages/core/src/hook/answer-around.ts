import { ConfigurationError } from "../errors/configuration-error.js";
import { LEFT_BEHIND, untilLeftBehind } from "./until-left-behind.js";

/** One around, and what it stands around. */
export interface Around<Result> {
	/** Whose it is, as messages begin. */
	readonly what: string;
	readonly call: (next: () => Promise<Result>) => unknown;
	/** What is further in. Settles once the signal is aborted. */
	readonly inside: () => Promise<Result>;
	/** Reads an answer of its own. Throws ConfigurationError where it is none. */
	readonly read: (answer: unknown) => Result;
	readonly signal: AbortSignal | undefined;
}

/**
 * What an around answers with. What it began by `next` is waited for, whether it does so itself or not: nothing goes on behind a run that has
 * ended. One that is left behind after an abort counts for nothing: what is further in is done, or its answer taken, without it.
 */
export async function answerAround<Result>({ what, call, inside, read, signal }: Around<Result>): Promise<Result> {
	const begun: { inner?: Promise<Result>; result?: Result } = {};
	let isOver = false;
	const next = (): Promise<Result> => {
		if (begun.inner !== undefined) throw new ConfigurationError(`${what} called next() twice. Keep what it gave the first time.`);
		if (isOver) throw new ConfigurationError(`${what} called next() after it had ended. Await it inside the around.`);
		begun.inner = inside();
		// a rejection that the around does not handle must not end the process
		begun.inner.then((result) => Object.assign(begun, { result }), ignore);
		return begun.inner;
	};
	const answering = (async (): Promise<unknown> => call(next))();
	try {
		let answer = await untilLeftBehind(answering, signal);
		if (answer === LEFT_BEHIND && begun.inner !== undefined) {
			// it may wait for this, and have something to do afterwards
			await begun.inner.catch(ignore);
			answer = await untilLeftBehind(answering, signal);
		}
		isOver = true;
		if (answer === LEFT_BEHIND) return await (begun.inner ?? inside());
		return "result" in begun && answer === begun.result ? begun.result : read(answer);
	} finally {
		isOver = true;
		await begun.inner?.catch(ignore);
	}
}

const ignore = (): void => {};
