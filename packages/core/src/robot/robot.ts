import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { HandlerOptions } from "../bus/handling.js";
import { BusMember } from "../bus/message-bus.js";
import { compressHistory } from "../history/compress-history.js";
import type { CompressionOptions } from "../history/compression-options.js";
import { historyOf } from "../history/history-of.js";
import { messagesOf } from "../history/messages-of.js";
import { type HistoryMatch, type HistorySearchOptions, searchHistory } from "../history/search-history.js";
import type { Hook } from "../hook/hook.js";
import type { McpServerStatus } from "../mcp/connection.js";
import type { McpListOptions } from "../mcp/server-options.js";
import { addLearning, LEARNINGS_KEY } from "../memory/learnings.js";
import type { Memory } from "../memory/memory.js";
import type { Remembered } from "../memory/memory-values.js";
import type { Message } from "../message/message.js";
import type { RobotResult } from "../message/robot-result.js";
import type { ModelChoice } from "../model/model.js";
import { anySignal } from "../process/any-signal.js";
import type { AnswerSchema } from "../run/answer-schema.js";
import { EventLog } from "../stream/event-log.js";
import { RunInside } from "../stream/open-run.js";
import { type OnBegin, RunPublisher } from "../stream/run-publisher.js";
import type { Subscription } from "../stream/subscription.js";
import type { TokenUsage } from "../stream/token-usage.js";
import type { TemplateContext } from "../template/template.js";
import type { Tool } from "../tool/tool.js";
import { answerTask } from "./answer-task.js";
import { checkRunOptions } from "./check-run-options.js";
import { compactWithHooks } from "./compacted-history.js";
import type { DelegateOptions } from "./delegate-options.js";
import { type Delegate, DelegationFuture } from "./delegation-future.js";
import { observeRun } from "./observe-run.js";
import { type RobotChannel, type RobotChannels, RobotListeners } from "./robot-listeners.js";
import type { RobotOptions } from "./robot-options.js";
import { type RobotRecord, robotRecord } from "./robot-record.js";
import type { RobotSettings } from "./robot-settings.js";
import { changedSetup, type RobotChanges, setUpRobot } from "./robot-setup.js";
import { RobotState } from "./robot-state.js";
import { RobotStream } from "./robot-stream.js";
import type { RunOptions, StreamOptions } from "./run-options.js";
import { hooksOf, newRun, runRobot } from "./run-robot.js";
import { type SpawnOptions, spawnedOptions } from "./spawn-options.js";

/**
 * One language model with a name, a prompt, tools, skills and a memory of what was said. A member of a bus, where it is given one.
 *
 * Runs of one robot may overlap: each starts from the history as it was when the run began, and its turn is added as a whole when
 * it ends. A run that failed or was aborted adds the rounds it completed; a message nobody answered leaves no trace. What changes the robot
 * (`update`, `with…`, `clearMessages`, …) holds for the runs that begin afterwards.
 */
export class Robot extends BusMember {
	readonly #state: RobotState;
	readonly #listeners = new RobotListeners();
	readonly #observe: OnBegin = (run) => observeRun(run, this.#listeners);

	/** Throws ConfigurationError for options that cannot work: an unknown one, no name, no model, an unknown provider, two tools of one name, … */
	constructor(options: RobotOptions) {
		const setup = setUpRobot(options);
		super(setup.options.name, options.bus);
		this.#state = new RobotState(setup);
	}

	get description(): string | undefined {
		return this.#state.setup.options.description;
	}

	/** Which model it is, `"provider/model"`. */
	get model(): string {
		return this.#state.setup.options.modelLabel;
	}

	get systemPrompt(): string | undefined {
		return this.#state.setup.options.systemPrompt;
	}

	get template(): string | undefined {
		return this.#state.setup.made.template;
	}

	/** Its own tools, in order. */
	get localTools(): readonly Tool[] {
		return [...this.#state.setup.options.local.tools.values()];
	}

	// Running

	/**
	 * Answers a message, calling tools as the model asks for them.
	 *
	 * Resolves with a result whose `stopReason` says how it ended, `aborted` included. Rejects with ConfigurationError (an empty
	 * message, an unknown option or skill, a provider package that is not installed), InferenceError (the model failed for good),
	 * BudgetExceededError (nothing was left before it began), and with what a hook, or a tool with `raiseOnError`, throws.
	 */
	run<Schema extends StandardSchemaV1>(
		message: string,
		options: RunOptions & { readonly schema: Schema },
	): Promise<RobotResult<Remembered<StandardSchemaV1.InferOutput<Schema>>>>;
	run(message: string, options?: RunOptions): Promise<RobotResult>;
	async run(message: string, options: RunOptions = {}): Promise<RobotResult> {
		checkRunOptions("run", message, options);
		const { parent, signal } = options;
		if (parent === undefined) return this.#runIn(new EventLog({ history: 0 }), message, options);
		const run = RunInside.beginBeneath(parent, newRun(this.#state, message), this.#observe);
		return runRobot(this.#state, message, withSignal(options, anySignal(signal, parent.signal, run.cut)), run);
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
		return new RobotStream(log, reader, (stop) => this.#runIn(log, message, withSignal(runOptions, anySignal(options.signal, stop))));
	}

	/**
	 * Calls the listener with what this robot's runs, and the runs beneath them, say and do, from now on: runs that go on included. It
	 * cannot disturb a run: what it throws or rejects with is reported once as a process warning.
	 */
	on<Channel extends RobotChannel>(channel: Channel, listener: (value: RobotChannels[Channel]) => unknown): Subscription {
		return this.#listeners.add(channel, listener);
	}

	/**
	 * Hands work to another robot, which begins at once: `await` it for the result, or keep it and go on. The result says who handed the work
	 * on. Throws ConfigurationError for who cannot be handed any.
	 */
	delegate(to: Delegate, task: string, options: DelegateOptions = {}): DelegationFuture {
		return new DelegationFuture({ to, task, from: this.name, options });
	}

	// On a bus: sendMessage(), sendReply(), onMessage(), respondToTasks() and withBus() are those of a BusMember

	/**
	 * Answers every message that is no reply with a run of its own, one after the other, from now on. A run that fails, or is aborted as its time is up, makes
	 * the message a dead letter, or is tried again: see {@link HandlerOptions}. Throws ConfigurationError where it has a handler.
	 */
	serve(options: HandlerOptions = {}): Subscription {
		return this.respondToTasks((message, delivery) => answerTask(this, message, delivery), options);
	}

	/**
	 * Makes another robot on the same bus, with the same model unless another is named. Where this one is on none, both join a new one. Throws as the
	 * constructor does, and BusError where the bus is closed.
	 */
	spawn(options: SpawnOptions = {}): Robot {
		const robot = new Robot(spawnedOptions(this.#state.setup, options));
		return robot.withBus(this.withBus().bus);
	}

	// What was said, and what it knows

	/** What was said so far, oldest first, without the system prompt. */
	get messages(): readonly Message[] {
		return messagesOf(this.#state.conversation.history);
	}

	/** Forgets what was said. */
	clearMessages(): void {
		this.#state.conversation.replace([]);
	}

	/** Puts other messages in the place of what was said. Throws ConfigurationError, naming the place, for what no model would accept. */
	replaceMessages(messages: readonly Message[]): void {
		this.#state.conversation.replace(historyOf(messages));
	}

	/**
	 * Makes what was said shorter: recent turns stay as they are, of the older ones those that have to do with them. Rejects with
	 * ConfigurationError for options that cannot be meant, and with what `summarize` throws; nothing changes then. What is said meanwhile stays.
	 */
	async compressHistory(options: CompressionOptions = {}): Promise<void> {
		const { history } = this.#state.conversation;
		const hooks = hooksOf(this.#state, { signal: options.signal, memory: this.memory });
		this.#state.conversation.shorten(history, await compactWithHooks(history, () => compressHistory(history, options), hooks));
	}

	/** The messages most like a query by their words, best first. */
	searchHistory(query: string, options?: HistorySearchOptions): readonly HistoryMatch[] {
		return searchHistory(this.messages, query, options);
	}

	/** What its runs used together, since the beginning or the last reset. */
	get usage(): TokenUsage {
		return this.#state.spending.usage;
	}

	/** Begins to count anew what is used, for budgets too. */
	resetUsage(): void {
		this.#state.spending.reset();
	}

	/** What it has learned, oldest first. It is in its memory, below `learnings`. */
	get learnings(): readonly string[] {
		return this.#state.learnings;
	}

	/** Something to be kept in mind: the model reads it before every message to come. What says no more than what it has learned already changes nothing. */
	async learn(text: string): Promise<void> {
		const keep = async (learned: string): Promise<readonly string[]> => {
			// read now: hooks take time, and something else may have been learned meanwhile
			const known = this.learnings;
			const learnings = addLearning(known, learned);
			if (learnings !== known) this.#state.memory.set(LEARNINGS_KEY, learnings);
			return learnings;
		};
		const hooks = hooksOf(this.#state, { memory: this.memory });
		if (hooks === undefined) await keep(text);
		else await hooks.run("learn", { text, learnings: this.learnings }, (set) => keep(set.text));
	}

	/** What it knows, which its tools are handed. Changes made through it are those of this robot. */
	get memory(): Memory {
		return this.#state.memory;
	}

	/** Empties its memory. Whoever listens to it is told. */
	resetMemory(): void {
		this.#state.memory.reset();
	}

	// Its MCP servers

	/** Connects to them now. Rejects with the McpError of one that cannot be reached, after all were tried. Without it they are connected when a run needs them. */
	async connectMcp(options: McpListOptions = {}): Promise<void> {
		await this.#state.setup.mcp.connect(options);
	}

	/** How it stands with each of them. Asks nobody. */
	get mcpStatus(): readonly McpServerStatus[] {
		return this.#state.setup.mcp.status();
	}

	/**
	 * Ends those that are its own, with everything they have started; a later run starts them again. The configuration's and somebody else's go on. Ends also the
	 * embedding of skills that goes on after a run that did not wait for it.
	 */
	async disconnect(): Promise<void> {
		await this.#state.disconnect();
	}

	async [Symbol.asyncDispose](): Promise<void> {
		await this.disconnect();
	}

	// Changing it

	/**
	 * From the next run on the robot is another in what is given here, and the same in everything else; `undefined` takes an option away. A
	 * template brings its own values: without `context` the former ones are gone. Throws ConfigurationError as the constructor does; the robot
	 * is as it was then.
	 *
	 * @returns The robot.
	 */
	update(changes: RobotChanges): this {
		this.#state.setup = changedSetup(this.#state.setup, changes);
		return this;
	}

	withModel(model: ModelChoice): this {
		return this.update({ model });
	}

	withTemperature(temperature: number): this {
		return this.update({ temperature });
	}

	/** Another system prompt. */
	withInstructions(systemPrompt: string): this {
		return this.update({ systemPrompt });
	}

	/** Other model settings: `{ topP: 0.9, maxTokens: 500 }`. */
	withParams(params: RobotSettings): this {
		return this.update(params);
	}

	/** Other headers. */
	withHeaders(headers: Readonly<Record<string, string>>): this {
		return this.update({ headers });
	}

	/** How much the model thinks before it answers. */
	withReasoning(reasoning: NonNullable<RobotSettings["reasoning"]>): this {
		return this.update({ reasoning });
	}

	/** What its answers are to look like: see {@link RobotSettings.schema}. */
	withSchema(schema: AnswerSchema): this {
		return this.update({ schema });
	}

	/** These tools besides those it has. One that has the name of another takes its place. */
	withTool(...tools: readonly Tool[]): this {
		const byName = new Map([...this.localTools, ...tools].map((tool) => [tool?.name, tool]));
		return this.update({ localTools: [...byName.values()] });
	}

	/** These tools in the place of those it has. */
	withTools(tools: Iterable<Tool>): this {
		return this.update({ localTools: tools });
	}

	/** These hooks besides those it has. */
	withHooks(...hooks: readonly Hook[]): this {
		return this.update({ hooks: [...(this.#state.setup.made.hooks ?? []), ...hooks] });
	}

	/** Other values for its template's parameters. */
	withContext(context: TemplateContext): this {
		return this.update({ context });
	}

	/** Another template, with its text, its skills, its description and its model keys. The values are for it alone. */
	withTemplate(id: string, context: TemplateContext = {}): this {
		return this.update({ template: id, context });
	}

	/** What it is made of, ready for `JSON.stringify`. Nothing of what it knows, and no header, key or function. */
	toJSON(): RobotRecord {
		return robotRecord(this.#state.setup);
	}

	#runIn(log: EventLog, message: string, options: RunOptions): Promise<RobotResult> {
		return runRobot(this.#state, message, options, RunPublisher.root(log, newRun(this.#state, message), this.#observe));
	}
}

const withSignal = (options: RunOptions, signal: AbortSignal | undefined): RunOptions =>
	signal === undefined ? options : { ...options, signal };
