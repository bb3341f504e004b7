import { randomUUID } from "node:crypto";
import type { LanguageModelV4Message } from "@ai-sdk/provider";
import { ConfigurationError } from "../errors/configuration-error.js";
import type { Message } from "../message/message.js";
import { RobotResult } from "../message/robot-result.js";
import type { StopReason } from "../message/stop-reason.js";
import type { Model } from "../model/model.js";
import { resolveModel } from "../model/resolve-model.js";
import { messagesOf } from "./history.js";
import { listeners } from "./listeners.js";
import { prepareRun } from "./prepare-run.js";
import { type ResolvedRobotOptions, resolveRobotOptions } from "./resolve-robot-options.js";
import type { RobotOptions, RunOptions } from "./robot-options.js";
import { RobotStream } from "./robot-stream.js";
import { runLoop } from "./run-loop.js";
import type { RunPorts, RunState } from "./run-state.js";
import { RobotSkills } from "./skills-for-run.js";

/**
 * One language model with a name, a prompt, tools, skills and a memory of what was said.
 *
 * Runs of one robot may overlap: each starts from the history as it was when the run began, and its turn is added as a whole when
 * it ends. A run that failed or was aborted adds the rounds it completed; a message nobody answered leaves no trace.
 */
export class Robot {
	readonly #options: ResolvedRobotOptions;
	readonly #skills: RobotSkills | undefined;
	#model: Promise<Model> | undefined;
	#history: readonly LanguageModelV4Message[] = [];
	// of the robot, not of a run: runs that overlap end up in one history
	#callIds = new Set<string>();

	/** Throws ConfigurationError for options that cannot work: no name, no model, an unknown provider, two tools of one name, … */
	constructor(options: RobotOptions) {
		this.#options = resolveRobotOptions(options);
		if (options.skills !== undefined) this.#skills = new RobotSkills(options.skills, options.matching ?? {});
	}

	get name(): string {
		return this.#options.name;
	}

	get description(): string | undefined {
		return this.#options.description;
	}

	get systemPrompt(): string | undefined {
		return this.#options.systemPrompt;
	}

	/** What was said so far, oldest first, without the system prompt. */
	get messages(): readonly Message[] {
		return messagesOf(this.#history);
	}

	/** Forgets what was said. */
	clearMessages(): void {
		this.#history = [];
		this.#callIds = new Set();
	}

	/**
	 * Answers a message, calling tools as the model asks for them.
	 *
	 * Resolves with a result whose `stopReason` says how it ended, `aborted` included. Rejects with ConfigurationError (an empty
	 * message, an unknown skill, a provider package that is not installed) or InferenceError (the model failed for good).
	 */
	async run(message: string, options: RunOptions = {}): Promise<RobotResult> {
		if (typeof message !== "string" || message.trim() === "") {
			throw new ConfigurationError(`run() needs a message of text, got ${typeof message === "string" ? "an empty one" : typeof message}.`);
		}
		const startedAt = performance.now();
		const model = await this.#resolvedModel();
		const { state, ports } = await prepareRun(message, options, model, this.#history, this.#options, this.#skills);
		const stopReason = await this.#loop(state, ports);
		const result = this.#result(state, stopReason, performance.now() - startedAt);
		ports.emit?.({ type: "finished", result });
		return result;
	}

	/** The same run, watched. It starts at once. Whoever iterates gets each event once; iterate it in one place. */
	stream(message: string, options: RunOptions = {}): RobotStream {
		return new RobotStream((onEvent, signal) =>
			this.run(message, {
				...options,
				signal: options.signal === undefined ? signal : AbortSignal.any([options.signal, signal]),
				onEvent: listeners("onEvent", options.onEvent, onEvent) ?? onEvent,
			}),
		);
	}

	async #loop(state: RunState, ports: RunPorts): Promise<StopReason> {
		try {
			return ports.signal?.aborted ? "aborted" : await runLoop(state, ports, this.#callIds);
		} finally {
			if (state.turn.length > 1) this.#history = [...this.#history, ...state.turn];
		}
	}

	/** A model that could not be made is tried again by the next run: its package may be installed by then. */
	#resolvedModel(): Promise<Model> {
		this.#model ??= resolveModel(this.#options.model).catch((error) => {
			this.#model = undefined;
			throw error;
		});
		return this.#model;
	}

	#result(state: RunState, stopReason: StopReason, durationMs: number): RobotResult {
		const { output, toolCalls, inputTokens, outputTokens } = state;
		const createdAt = new Date();
		return new RobotResult({
			id: randomUUID(),
			robotName: this.name,
			output,
			toolCalls,
			stopReason,
			createdAt,
			inputTokens,
			outputTokens,
			durationMs,
		});
	}
}
