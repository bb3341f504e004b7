import { ConfigurationError } from "../errors/configuration-error.js";
import { describeValue } from "../text/describe-value.js";
import type { NewPart, PartWriter } from "./part-writer.js";
import type { NewRun, OnBegin, RunEnding, RunPublisher } from "./run-publisher.js";
import type { PartType, PublishedEvent } from "./stream-event.js";

/** A run that goes on, for what happens inside it: a tool publishes to its log, or begins a run beneath it. It cannot end it. */
export interface OpenRun {
	readonly runId: string;
	/** Aborted when the run ends early. Runs that are begun beneath it end with it. */
	readonly signal: AbortSignal | undefined;
	/**
	 * Publishes an event: `metadata.updated`, one of `hitl.*`, or a name of your own. Throws ConfigurationError for the others of the twenty:
	 * those the run publishes itself. `undefined`: the run is over and nothing was published.
	 */
	publish(event: string, data?: object): PublishedEvent | undefined;
	/** Begins a part: text, reasoning, data (a plan), a file, a refusal. One that is left open is closed as failed when the run ends. */
	part(facts: NewPart): PartWriter;
	/**
	 * Begins a run beneath this one, in the same log, for work that is no robot's: `robot.run(message, { parent })` does it for a robot. Throws
	 * ConfigurationError where this one is over.
	 */
	begin(run: NewRun): BegunRun;
}

/** A run of one's own. It ends with the run above it at the latest, and then its `signal` is aborted. */
export interface BegunRun extends OpenRun {
	/** Ends it, and what is open in it. Only the first end counts. */
	end(ending: RunEnding): void;
}

/** What a run shows to those inside it. */
export class RunInside implements OpenRun {
	readonly #run: RunPublisher;
	readonly #toolCallId: string | undefined;
	readonly signal: AbortSignal | undefined;

	/** @param toolCallId The call inside which it is shown: runs that are begun there name it. */
	constructor(run: RunPublisher, signal: AbortSignal | undefined, toolCallId?: string) {
		this.#run = run;
		this.#toolCallId = toolCallId;
		this.signal = signal;
	}

	/** Begins a run beneath one that was shown. Throws ConfigurationError for what is none, and where it is over. */
	static beginBeneath(parent: OpenRun, run: NewRun, onBegin?: OnBegin): RunPublisher {
		if (typeof parent !== "object" || parent === null || !(#run in parent)) throw noOpenRun(parent);
		const toolCallId = parent.#toolCallId;
		return parent.#run.begin({ ...(toolCallId !== undefined && { parentToolCallId: toolCallId }), ...run }, onBegin);
	}

	get runId(): string {
		return this.#run.runId;
	}

	publish(event: string, data?: object): PublishedEvent | undefined {
		return this.#run.publish(event, data);
	}

	part(facts: NewPart): PartWriter {
		// read once: what is checked is what is begun
		const given = { ...facts };
		if (!FOR_TOOLS.has(given.type)) throw noPartOfATool(given.type);
		return this.#run.part(given);
	}

	begin(run: NewRun): BegunRun {
		const begun = RunInside.beginBeneath(this, run);
		const signals = [this.signal, begun.cut].filter((signal) => signal !== undefined);
		return new OwnRun(begun, AbortSignal.any(signals));
	}
}

/** What whoever began a run has of it. */
class OwnRun extends RunInside implements BegunRun {
	readonly end: (ending: RunEnding) => void;

	constructor(run: RunPublisher, signal: AbortSignal | undefined) {
		super(run, signal);
		this.end = (ending) => run.end(ending);
	}
}

/** What a tool is given: the run of its robot, which it cannot end. */
export function withinCall(run: RunPublisher, toolCallId: string, signal: AbortSignal | undefined): OpenRun {
	return new RunInside(run, signal, toolCallId);
}

/** Calls and their output are the run's to tell of: a second output of one call would be taken for its end. */
const FOR_TOOLS: ReadonlySet<PartType> = new Set(["text", "reasoning", "data", "file", "refusal"]);

const noPartOfATool = (type: unknown): ConfigurationError =>
	new ConfigurationError(`A tool cannot begin a part of the type ${describeValue(type)}: it may begin ${[...FOR_TOOLS].join(", ")}.`);

const noOpenRun = (parent: unknown): ConfigurationError =>
	new ConfigurationError(
		`parent must be the run that a tool is given (context.run), or one begun beneath it; got ${describeValue(parent)}.`,
	);
