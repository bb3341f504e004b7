import { ConfigurationError } from "../errors/configuration-error.js";
import { onAbort } from "../process/on-abort.js";
import { type OpenRun, RunInside } from "../stream/open-run.js";
import type { NewPart } from "../stream/part-writer.js";
import type { NewRun, RunEnding, RunPublisher } from "../stream/run-publisher.js";
import type { StepPublisher } from "../stream/step-publisher.js";
import type { FailureFacts, PublishedEvent, StreamEvent } from "../stream/stream-event.js";
import { StreamEvents } from "../stream/stream-events.js";
import { describeValue } from "../text/describe-value.js";
import { LogIds } from "./task-log-ids.js";
import { ReplayedParts } from "./task-replayed-parts.js";

/** A run of another log, and the one that stands for it in this one. */
interface Replayed {
	readonly run: RunPublisher;
	/** The message there that it is at. */
	messageId: string;
}

/**
 * Publishes what is told of runs in another thread once more, beneath a run of this one's log, as if they went on here: with the ids and numbers of this
 * log, and whole even where it breaks off. What the root of the other log says itself, the run above says here. Not told again: raw output
 * of processes, which is no event.
 */
export class TaskReplay {
	readonly #above: OpenRun;
	readonly #onCut: () => void;
	readonly #ids = new LogIds();
	readonly #parts = new ReplayedParts(this.#ids);
	/** The root of the other log. */
	#root: string | undefined;
	// by their ids in the other log
	readonly #runs = new Map<string, Replayed>();
	readonly #steps = new Map<string, StepPublisher>();

	/**
	 * Throws ConfigurationError for a run above that is none.
	 *
	 * @param onCut Called when a run ends here because the one above does.
	 */
	constructor(above: OpenRun, onCut: () => void) {
		if (!(above instanceof RunInside)) {
			throw new ConfigurationError(
				`parent must be the run that a tool is given (context.run), or one begun beneath it; got ${describeValue(above)}.`,
			);
		}
		this.#above = above;
		this.#onCut = onCut;
	}

	/** Is given each event of the other log, in order. Throws ConfigurationError where the run above is over. */
	observe(event: PublishedEvent): void {
		if (event.event === "run.started") this.#begin(event);
		else if (event.data.runId === this.#root) this.#sayAbove(event);
		else this.#tell(event as StreamEvent);
	}

	/** Nothing more comes: ends what is open. */
	breakOff(error: FailureFacts): void {
		for (const { run } of this.#runs.values()) run.end({ event: "run.failed", error, recoverable: true });
		this.#parts.breakOff(error);
	}

	#begin({ data }: PublishedEvent): void {
		const { runId, messageId, parentRunId } = data;
		if (parentRunId === undefined) {
			this.#root = runId;
			return;
		}
		const begun = { ...this.#factsOf(data), scope: data.scope } as NewRun;
		const run = parentRunId === this.#root ? this.#beginAbove(begun) : this.#beginBeneath(this.#runs.get(parentRunId)?.run, begun);
		if (run !== undefined) this.#runs.set(runId, { run, messageId });
	}

	#beginAbove(begun: NewRun): RunPublisher {
		const run = RunInside.beginBeneath(this.#above, begun);
		if (run.cut !== undefined) onAbort(run.cut, this.#onCut);
		return run;
	}

	/** Of a run that was cut off here nothing more is told. */
	#beginBeneath(parent: RunPublisher | undefined, begun: NewRun): RunPublisher | undefined {
		return parent?.isOpen ? parent.begin(begun) : undefined;
	}

	/** The root there is no run of its own here: it begins and ends nothing. */
	#sayAbove({ event, data }: PublishedEvent): void {
		if (!StreamEvents.isLifecycle(event) && event !== "stream.ended") this.#parts.say(this.#above, event, this.#factsOf(data));
	}

	/** What a run tells of itself, as its publisher alone can. */
	#tell(told: StreamEvent): void {
		const { event, data } = told;
		const replayed = this.#runs.get(data.runId);
		if (replayed === undefined) return;
		const { run } = replayed;
		if (data.messageId !== replayed.messageId && !isOfOpenPart(event)) {
			replayed.messageId = data.messageId;
			run.beginMessage();
		}
		switch (told.event) {
			case "run.completed":
			case "run.failed":
			case "run.interrupted":
				run.end({ ...this.#factsOf(data), event } as RunEnding);
				break;
			case "step.started":
				this.#steps.set(told.data.stepId, run.step(told.data.name, told.data.attempt));
				break;
			case "step.completed":
				this.#endStep(told.data.stepId)?.complete(told.data.finishReason);
				break;
			case "step.failed":
				this.#endStep(told.data.stepId)?.fail(told.data.error, told.data.retryInMs);
				break;
			case "usage.updated":
				run.tell(told.event, this.#factsOf(data) as typeof told.data);
				break;
			case "part.created":
				if (told.data.type === "tool-call") this.#ids.claimCall(told.data.toolCallId, run.callIds);
				this.#parts.say(run, event, this.#factsOf(data));
				break;
			default:
				this.#parts.say(run, event, this.#factsOf(data));
				// from here on it owes an output, whatever becomes of the thread
				if (told.event === "part.completed" && told.data.type === "tool-call") this.#announce(run, told.data);
		}
	}

	#announce(run: RunPublisher, data: PublishedEvent["data"]): void {
		const { toolCallId, toolName, skill, providerExecuted } = this.#factsOf(data) as Partial<NewPart>;
		if (toolCallId === undefined) return;
		run.announceCall({
			toolCallId,
			...(toolName !== undefined && { toolName }),
			...(skill !== undefined && { skill }),
			...(providerExecuted !== undefined && { providerExecuted }),
		});
	}

	#endStep(stepId: string): StepPublisher | undefined {
		const step = this.#steps.get(stepId);
		this.#steps.delete(stepId);
		return step;
	}

	/** What an event says besides where it comes from, with the ids of this log. */
	#factsOf({
		runId: _,
		messageId: __,
		scope: ___,
		parentRunId: ____,
		...facts
	}: PublishedEvent["data"]): Readonly<Record<string, unknown>> {
		return this.#ids.inThisLog(facts);
	}
}

/** A part stays with the message in which it was begun. */
const isOfOpenPart = (event: string): boolean => StreamEvents.isDelta(event) || event === "part.completed" || event === "part.failed";
