import type { ScriptExecutor, ScriptOptions, ScriptResult } from "../script/script-executor.js";

/** One run an executor was asked for. */
export interface RecordedRun {
	readonly command: readonly string[];
	readonly options: ScriptOptions;
}

/** What a {@link RecordingExecutor} answers: fields of the result, or a function of the run. */
export type RecordedAnswer = Partial<ScriptResult> | ((run: RecordedRun) => Partial<ScriptResult> | Promise<Partial<ScriptResult>>);

const SUCCESS: ScriptResult = {
	output: "",
	exitCode: 0,
	signal: null,
	timedOut: false,
	aborted: false,
	truncatedBytes: 0,
	durationMs: 0,
	confinement: "none",
};

/** An executor that starts nothing: it keeps what it was asked to run and answers what it was given. */
export class RecordingExecutor implements ScriptExecutor {
	readonly specificationVersion = "v1";
	readonly name: string;
	readonly runs: RecordedRun[] = [];
	readonly #answer: RecordedAnswer;

	/** Default: every run succeeds without output. */
	constructor(answer: RecordedAnswer = {}, name = "recording") {
		this.#answer = answer;
		this.name = name;
	}

	async run(command: readonly string[], options: ScriptOptions): Promise<ScriptResult> {
		const run: RecordedRun = { command, options };
		this.runs.push(run);
		const answer = typeof this.#answer === "function" ? await this.#answer(run) : this.#answer;
		return { ...SUCCESS, ...answer };
	}
}
