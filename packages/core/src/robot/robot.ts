import { randomUUID } from "node:crypto";
import type { LanguageModelV4Message } from "@ai-sdk/provider";
import { messagesOf } from "../history/messages-of.js";
import type { Message } from "../message/message.js";
import { RobotResult } from "../message/robot-result.js";
import type { StopReason } from "../message/stop-reason.js";
import type { Model, ModelChoice } from "../model/model.js";
import { resolveModel } from "../model/resolve-model.js";
import { anySignal } from "../process/any-signal.js";
import { EventLog } from "../stream/event-log.js";
import { RunInside } from "../stream/open-run.js";
import { type NewRun, type OnBegin, RunPublisher } from "../stream/run-publisher.js";
import type { Subscription } from "../stream/subscription.js";
import type { TemplateContext } from "../template/template.js";
import { checkRunOptions } from "./check-run-options.js";
import { observeRun } from "./observe-run.js";
import { prepareRun } from "./prepare-run.js";
import { promptForRun } from "./prompt-for-run.js";
import { type ResolvedRobotOptions, resolveRobotOptions } from "./resolve-robot-options.js";
import { type RobotChannel, type RobotChannels, RobotListeners } from "./robot-listeners.js";
import type { RobotOptions, RunOptions, StreamOptions } from "./robot-options.js";
import { RobotStream } from "./robot-stream.js";
import { endingOf, failedEnding } from "./run-ending.js";
import { runLoop } from "./run-loop.js";
import type { RunState } from "./run-state.js";
import { RobotSkills } from "./skills-for-run.js";

/**
 * One language model with a name, a prompt, tools, skills and a memory of what was said.
 *
 * Runs of one robot may overlap: each starts from the history as it was when the run began, and its turn is added as a whole when
 * it ends. A run that failed or was aborted adds the rounds it completed; a message nobody answered leaves no trace.
 */
export class Robot {
	readonly #made: RobotOptions;
	#options: ResolvedRobotOptions;
	#skills: RobotSkills | undefined;
	readonly #listeners = new RobotListeners();
	readonly #observe: OnBegin = (run) => observeRun(run, this.#listeners);
	#model: { readonly choice: ModelChoice; readonly resolved: Promise<Model> } | undefined;
	#history: readonly LanguageModelV4Message[] = [];
	// of the robot, not of a run: runs that overlap end up in one history
	#callIds = new Set<string>();

	/** Throws ConfigurationError for options that cannot work: no name, no model, an unknown provider, two tools of one name, … */
	constructor(options: RobotOptions) {
		this.#options = resolveRobotOptions(options);
		this.#made = { ...options };
		this.#skills = robotSkills(options, this.#options);
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

	/**
	 * From the next run on the robot has another template: its text, its skills, its description and its model keys in the place of the former
	 * one's. Runs that go on keep theirs. The values are for the new one alone. Throws ConfigurationError as the constructor does; the robot is
	 * as it was then.
	 *
	 * @returns The robot.
	 */
	withTemplate(id: string, context: TemplateContext = {}): this {
		const made = { ...this.#made, template: id, context };
		const options = resolveRobotOptions(made);
		this.#skills = robotSkills(made, options);
		this.#options = options;
		return this;
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
		checkRunOptions("run", message, options);
		const { parent, signal } = options;
		if (parent === undefined) return this.#run(message, options, this.#begin(message, new EventLog({ history: 0 })));
		const run = RunInside.beginBeneath(parent, this.#newRun(message), this.#observe);
		return this.#run(message, withSignal(options, anySignal(signal, parent.signal, run.cut)), run);
	}

	/** The same run, watched. It starts at once. Throws ConfigurationError for a message or an option that is none. */
	stream(message: string, options: StreamOptions = {}): RobotStream {
		checkRunOptions("stream", message, options);
		const { overflow, capacity, maxWaitingCharacters, history, ...runOptions } = options;
		const log = new EventLog(history === undefined ? {} : { history });
		const reader = {
			...(overflow !== undefined && { overflow }),
			...(capacity !== undefined && { capacity }),
			...(maxWaitingCharacters !== undefined && { maxWaitingCharacters }),
		};
		return new RobotStream(log, reader, (stop) =>
			this.#run(message, withSignal(runOptions, anySignal(options.signal, stop)), this.#begin(message, log)),
		);
	}

	/**
	 * Calls the listener with what this robot's runs, and the runs beneath them, say and do, from now on: runs that go on included. It
	 * cannot disturb a run: what it throws or rejects with is reported once as a process warning.
	 */
	on<Channel extends RobotChannel>(channel: Channel, listener: (value: RobotChannels[Channel]) => unknown): Subscription {
		return this.#listeners.add(channel, listener);
	}

	#begin(message: string, log: EventLog): RunPublisher {
		return RunPublisher.root(log, this.#newRun(message), this.#observe);
	}

	#newRun(message: string): NewRun {
		const { certainLabel: model } = this.#options;
		return { name: this.name, input: message, ...(model !== undefined && { model }) };
	}

	/** Publishes a run from its beginning to its end, whatever the end is. */
	async #run(message: string, options: RunOptions, run: RunPublisher): Promise<RobotResult> {
		const startedAt = performance.now();
		try {
			const { state, stopReason } = await this.#answer(message, options, run);
			const result = this.#result(state, stopReason, performance.now() - startedAt);
			if (Object.keys(state.usage).length > 0) run.tell("usage.updated", { usageScope: "run", usage: state.usage });
			run.end(endingOf(result, options.signal));
			return result;
		} catch (error) {
			run.end(failedEnding(error));
			throw error;
		}
	}

	async #answer(message: string, options: RunOptions, run: RunPublisher): Promise<{ state: RunState; stopReason: StopReason }> {
		const skills = this.#skills;
		const prompt = await promptForRun(this.#made, this.#options, skills, options);
		const model = await this.#resolvedModel(prompt.robot.model);
		const { state, ports } = await prepareRun({
			message,
			options,
			model,
			history: this.#history,
			prompt,
			skills,
			callIds: this.#callIds,
			run,
		});
		try {
			return { state, stopReason: ports.signal?.aborted ? "aborted" : await runLoop(state, ports) };
		} finally {
			if (state.turn.length > 1) this.#history = [...this.#history, ...state.turn];
		}
	}

	/** A model that could not be made is tried again by the next run: its package may be installed by then. */
	#resolvedModel(choice: ModelChoice): Promise<Model> {
		if (this.#model?.choice === choice) return this.#model.resolved;
		const resolved = resolveModel(choice).catch((error) => {
			if (this.#model?.resolved === resolved) this.#model = undefined;
			throw error;
		});
		this.#model = { choice, resolved };
		return resolved;
	}

	#result(state: RunState, stopReason: StopReason, durationMs: number): RobotResult {
		const { output, toolCalls, usage } = state;
		const createdAt = new Date();
		return new RobotResult({
			id: randomUUID(),
			robotName: this.name,
			output,
			toolCalls,
			stopReason,
			createdAt,
			inputTokens: usage.promptTokens,
			outputTokens: usage.completionTokens,
			durationMs,
		});
	}
}

function robotSkills({ skills, matching = {} }: RobotOptions, { templates }: ResolvedRobotOptions): RobotSkills | undefined {
	return skills === undefined && templates.names.length === 0 ? undefined : new RobotSkills(skills ?? [], matching);
}

const withSignal = (options: RunOptions, signal: AbortSignal | undefined): RunOptions =>
	signal === undefined ? options : { ...options, signal };
