import { CapturedOutput } from "./captured-output.js";
import type { Channels } from "./channels.js";
import { PipeReader } from "./pipe-reader.js";
import type { RunPlan } from "./run-plan.js";

// The most a process without privileges can make a pipe hold.
const LARGEST_PIPE_BYTES = 1024 * 1024;

/** What a run's output came to. */
export interface FinishedOutput {
	readonly output: string;
	readonly errorOutput: string;
	readonly truncatedBytes: number;
}

/** The one or two output streams of a run, read to their ends. */
export class RunOutput {
	readonly #captured: readonly CapturedOutput[];
	readonly #readers: readonly PipeReader[];
	/** Settles when nobody holds a pipe any more. */
	readonly ended: Promise<void>;

	constructor(plan: RunPlan, { outputs }: Channels) {
		const names = ["stdout", "stderr"] as const;
		this.#captured = outputs.map(
			(_, index) => new CapturedOutput(plan.maxOutputBytes, plan.onOutput && ((chunk) => plan.onOutput?.(chunk, names[index] ?? "stdout"))),
		);
		this.#readers = outputs.map(({ readFd }, index) => new PipeReader(readFd, (bytes) => this.#captured[index]?.append(bytes)));
		this.ended = Promise.all(this.#readers.map((reader) => reader.end)).then(() => {});
	}

	get hasEnded(): boolean {
		return this.#readers.every((reader) => reader.ended);
	}

	/** How long no process has written anything, counted from `since` at the earliest. */
	silenceMs(since: number): number {
		return performance.now() - Math.max(since, ...this.#readers.map((reader) => reader.lastDataAt));
	}

	/**
	 * Takes in all that a process that has just ended had written: it is in the pipe already, so neither a clock nor a busy host comes
	 * into it. Answers whether nobody else holds the pipe.
	 */
	readNow(): boolean {
		for (const reader of this.#readers) reader.readNow(LARGEST_PIPE_BYTES);
		return this.hasEnded;
	}

	/** The result. Processes that still write are read on and ignored, so that they go on living. */
	finish(): FinishedOutput {
		for (const reader of this.#readers) if (!reader.ended) reader.release();
		const [output, errorOutput] = this.#captured.map((captured) => captured.finish());
		return {
			output: output?.text ?? "",
			errorOutput: errorOutput?.text ?? "",
			truncatedBytes: (output?.cutBytes ?? 0) + (errorOutput?.cutBytes ?? 0),
		};
	}
}
