import { ConfigurationError } from "../errors/configuration-error.js";
import { describeValue } from "../text/describe-value.js";
import type { EventLog } from "./event-log.js";
import { type NewPart, type PartWriter, PublishedPart } from "./part-writer.js";
import { randomUuid } from "./random-uuid.js";
import { publishStep, type StepPublisher } from "./step-publisher.js";
import { StreamContext } from "./stream-context.js";
import type { FailureFacts, PublishedEvent, StreamEventData } from "./stream-event.js";
import { StreamEvents } from "./stream-events.js";

/** How a run begins. */
export type NewRun = StreamEventData["run.started"] & {
	/** What kind of run it is. Default `"robot"`. */
	readonly scope?: string;
};

/** How a run ends. */
export type RunEnding = {
	readonly [Name in EndName]: { readonly event: Name } & Omit<StreamEventData[Name], "name" | "durationMs">;
}[EndName];

/** Who follows a run besides through its log. Must not throw. */
export interface RunWatcher {
	/** Whom the watcher watches for: nobody is told of one run twice. */
	readonly owner: object;
	/** Raw output of a process that the run, or one beneath it, has started. */
	output(chunk: string, stream: "stdout" | "stderr"): void;
	/** The run is over, and its last event published. */
	ended(): void;
}

/** Called with a run before it says that it has begun, so that its first event is heard, too. Must not throw. `undefined`: nobody watches. */
export type OnBegin = (run: RunPublisher) => RunWatcher | undefined;

type EndName = "run.completed" | "run.failed" | "run.interrupted";

/** What a part or a call that is still open at the end of its run is failed with. */
const LEFT_OPEN: FailureFacts = { code: "run_ended", message: "The run ended before this did." };

/** What others may publish within a run: the rest is what a run says of itself, and must stay true. */
const FOR_OTHERS: ReadonlySet<string> = new Set(["metadata.updated", "hitl.requested", "hitl.resolved"]);

/**
 * Publishes one run so that its events always make a whole: it begins once and ends once, at its end nothing is left open, not a part, not a
 * call, not a run beneath it, and nothing comes after it. Its first message has its own id: many runs have no other, and a second random id for
 * each took a twentieth of the time of a chain of tasks that do nothing.
 */
export class RunPublisher {
	readonly log: EventLog;
	readonly #name: string;
	readonly #startedAt = performance.now();
	#tookMs: number | undefined;
	readonly #parent: RunPublisher | undefined;
	// each made when it is first needed: most runs have none of them
	#children: Set<RunPublisher> | undefined;
	#parts: Set<PartWriter> | undefined;
	#steps: Set<StepPublisher> | undefined;
	/** Calls that were announced and have no output yet. */
	#calls: Map<string, NewPart> | undefined;
	#cut: AbortController | undefined;
	#isCutOff = false;
	readonly #watcher: RunWatcher | undefined;
	/** The ids of all calls in the log. */
	readonly callIds: Set<string>;
	#context: StreamContext;
	/** Ending: what was open is being closed, and whoever is told of that can begin nothing more. */
	#state: "open" | "ending" | "ended" = "open";

	private constructor(context: StreamContext, log: EventLog, parent: RunPublisher | undefined, run: NewRun, onBegin?: OnBegin) {
		this.#context = context;
		this.log = log;
		this.#parent = parent;
		this.#name = run.name;
		this.callIds = parent?.callIds ?? new Set();
		if (parent !== undefined) parent.#addChild(this);
		this.#watcher = onBegin?.(this);
		// the scope gives way to the context's, which is the same
		this.#publish("run.started", { ...run });
	}

	/** Begins a root run in a log that is empty. */
	static root(log: EventLog, run: NewRun, onBegin?: OnBegin): RunPublisher {
		const { scope = "robot" } = run;
		const runId = randomUuid();
		const context = new StreamContext({ runId, messageId: runId, scope, publish: log.publish });
		return new RunPublisher(context, log, undefined, run, onBegin);
	}

	get runId(): string {
		return this.#context.runId;
	}

	get isRoot(): boolean {
		return this.#parent === undefined;
	}

	get isOpen(): boolean {
		return this.#state === "open";
	}

	/** Milliseconds it took, or takes by now. */
	get durationMs(): number {
		return this.#tookMs ?? performance.now() - this.#startedAt;
	}

	/** Aborted when a run above ends before this one: what no log tells of any more must not go on. `undefined` on a root run. */
	get cut(): AbortSignal | undefined {
		if (this.#parent === undefined) return undefined;
		this.#cut ??= new AbortController();
		if (this.#isCutOff) this.#cut.abort();
		return this.#cut.signal;
	}

	/** Whether this run, or one above it, is watched for the same owner. */
	isWatchedFor(owner: object): boolean {
		return this.#watcher?.owner === owner || (this.#parent?.isWatchedFor(owner) ?? false);
	}

	/** Begins a run beneath this one, in the same log. Throws ConfigurationError where this one is over: nobody would be told of what it does. */
	begin(run: NewRun, onBegin?: OnBegin): RunPublisher {
		if (!this.isOpen) throw over(this.#name, run.name);
		const runId = this.#context.generateMessageId();
		return new RunPublisher(this.#context.createChildContext(runId, run.scope, runId), this.log, this, run, onBegin);
	}

	/** What follows belongs to a new message: the next answer of the model, and the calls it asks for. */
	beginMessage(): void {
		this.#context = this.#context.createContextForMessage();
	}

	/** Publishes what the run itself says of itself. Nothing once it is over. */
	tell<Name extends "metadata.updated" | "usage.updated">(event: Name, data: StreamEventData[Name]): void {
		if (this.isOpen) this.#publish(event, data);
	}

	/**
	 * Publishes an event: `metadata.updated`, one of `hitl.*`, or a name of your own. Throws ConfigurationError for the others of the twenty:
	 * those the run publishes itself. `undefined`: the run is over and nothing was published.
	 */
	publish(event: string, data: object = {}): PublishedEvent | undefined {
		if (StreamEvents.isValid(event) && !FOR_OTHERS.has(event)) throw reserved(event);
		return this.isOpen ? this.#context.publishEvent({ event, data }) : undefined;
	}

	/**
	 * {@link publish} for an event of ours whose data is frozen to the bottom, and so can be the same in many runs. A network says in each what it
	 * is made of: copying that took a quarter of the time of 100 tasks that do nothing.
	 */
	publishFrozen(event: string, data: object): void {
		if (this.isOpen) this.#context.publishFrozen(event, data);
	}

	/** Begins a part: text, a plan, a file. One that is left open is closed as failed when the run ends; one begun after that is told nobody. */
	part(facts: NewPart): PartWriter {
		return this.#part(facts, this.isOpen);
	}

	/** Notes a call that is to be made: at the end of the run it has an output, if only a failed one. */
	announceCall(call: { readonly toolCallId: string } & Omit<NewPart, "type">): void {
		if (!this.isOpen) return;
		this.#calls ??= new Map();
		this.#calls.set(call.toolCallId, { ...call, type: "tool-output" });
	}

	/** Whether the provider makes this call itself and has not said what came of it. Some say it twice, or of calls that are not theirs. */
	awaitsProvider(toolCallId: string): boolean {
		return this.#calls?.get(toolCallId)?.providerExecuted === true;
	}

	/** Closes calls that were announced and will not be made, as far as they have no output. */
	abandonCalls(toolCallIds: Iterable<string>, failure: FailureFacts): void {
		for (const toolCallId of toolCallIds) {
			const call = this.#calls?.get(toolCallId);
			if (call !== undefined) this.part(call).fail(failure);
		}
	}

	step(name: string, attempt: number): StepPublisher {
		const isTold = this.isOpen;
		const step = publishStep(
			{ stepId: this.#context.generateStepId(name), name, attempt },
			{
				publish: (event, data) => {
					if (isTold) this.#publish(event, data);
				},
				onEnd: (ended) => this.#steps?.delete(ended),
			},
		);
		if (!isTold) return step;
		this.#steps ??= new Set();
		this.#steps.add(step);
		return step;
	}

	/** Hands on raw output, which is no event. */
	output(chunk: string, stream: "stdout" | "stderr"): void {
		this.#watcher?.output(chunk, stream);
		if (this.#parent !== undefined) this.#parent.output(chunk, stream);
	}

	/** Ends the run and everything in it. Only the first end counts. */
	end(ending: RunEnding): void {
		const { event } = ending;
		if (!StreamEvents.isLifecycle(event) || event === ("run.started" as string)) throw noEnd(event);
		if (!this.isOpen) return;
		this.#state = "ending";
		this.#closeAll();
		this.#tookMs = this.durationMs;
		const end: Record<string, unknown> = { name: this.#name, durationMs: this.#tookMs };
		// what a rest and a spread would do in twice the time, for each run there is
		for (const key in ending) if (key !== "event") end[key] = ending[key as keyof RunEnding];
		this.#publish(event, end);
		this.#state = "ended";
		if (this.#parent === undefined) this.#publish("stream.ended", {});
		else this.#parent.#children?.delete(this);
		this.#watcher?.ended();
	}

	#addChild(child: RunPublisher): void {
		this.#children ??= new Set();
		this.#children.add(child);
	}

	#closeAll(): void {
		if (this.#children !== undefined) for (const child of this.#children) child.#cutOff();
		if (this.#parts !== undefined) for (const part of this.#parts) part.fail(LEFT_OPEN);
		if (this.#calls !== undefined) for (const call of [...this.#calls.values()]) this.#part(call, true).fail(LEFT_OPEN);
		if (this.#steps !== undefined) for (const step of this.#steps) step.fail(LEFT_OPEN);
	}

	#cutOff(): void {
		this.end({ event: "run.interrupted", reason: "parent_ended" });
		this.#isCutOff = true;
		this.#cut?.abort();
	}

	/** Everything that was told of is closed before the run has ended, so a part need not ask whether it has. */
	#part(facts: NewPart, isTold: boolean): PartWriter {
		const context = this.#context;
		// from its beginning: what goes wrong before its end must not get the call a second output
		if (facts.type === "tool-output" && facts.toolCallId !== undefined) this.#calls?.delete(facts.toolCallId);
		const part = new PublishedPart(
			{ ...facts, partId: context.generatePartId() },
			{
				wantsDelta: () => !isTold || this.log.isHeard,
				skip: () => this.log.skip(context.sequenceCounter.next()),
				publishDelta: (delta) => {
					if (isTold) context.publishDelta(delta);
				},
				publish: (event, data) => {
					if (isTold) context.publishOwn(event, data as Record<string, unknown>);
				},
				onEnd: (ended) => this.#parts?.delete(ended),
			},
		);
		if (!isTold) return part;
		this.#parts ??= new Set();
		this.#parts.add(part);
		return part;
	}

	#publish(event: string, data: object): PublishedEvent {
		return this.#context.publishOwn(event, data as Record<string, unknown>);
	}
}

const reserved = (event: string): ConfigurationError =>
	new ConfigurationError(
		`Cannot publish "${event}" within a run: the run publishes it itself. Publish ${[...FOR_OTHERS].join(", ")} or a name of your own, or begin a part.`,
	);

const over = (name: string, beneath: string): ConfigurationError =>
	new ConfigurationError(
		`Cannot begin a run of "${beneath}" beneath the run of "${name}": that one is over. Await what a tool begins, or leave parent away.`,
	);

const noEnd = (event: string): ConfigurationError =>
	new ConfigurationError(`A run cannot end with ${describeValue(event)}: it ends with run.completed, run.failed or run.interrupted.`);
