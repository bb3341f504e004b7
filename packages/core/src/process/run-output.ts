import { CapturedOutput } from "./captured-output.js";
import type { Channels } from "./channels.js";
import { PipeReaders } from "./pipe-readers.js";
import type { RunPlan } from "./run-plan.js";

/** What a run's output came to. */
export interface FinishedOutput {
	readonly output: string;
	readonly errorOutput: string;
	readonly truncatedBytes: number;
}

/** The output of a run, kept as far as its budget goes. */
export class RunOutput extends PipeReaders {
	readonly #captured: readonly CapturedOutput[];

	constructor(plan: RunPlan, channels: Channels) {
		const names = ["stdout", "stderr"] as const;
		const captured = channels.outputs.map(
			(_, index) => new CapturedOutput(plan.maxOutputBytes, plan.onOutput && ((chunk) => plan.onOutput?.(chunk, names[index] ?? "stdout"))),
		);
		super(channels, (bytes, index) => captured[index]?.append(bytes));
		this.#captured = captured;
	}

	/** The result. Processes that still write are read on and ignored, so that they go on living. */
	finish(): FinishedOutput {
		for (const reader of this.readers) if (!reader.ended) reader.release();
		const [output, errorOutput] = this.#captured.map((captured) => captured.finish());
		return {
			output: output?.text ?? "",
			errorOutput: errorOutput?.text ?? "",
			truncatedBytes: (output?.cutBytes ?? 0) + (errorOutput?.cutBytes ?? 0),
		};
	}
}
