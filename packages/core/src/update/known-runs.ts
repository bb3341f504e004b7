import { type Envelope, type Facts, nameIn, runIdIn, textIn } from "./event-facts.js";
import { appendToEnd } from "./output-end.js";

/** What must be known of a run until it ends, to make its updates. */
export interface KnownRun {
	model: string | undefined;
	/** The call that started it, or a run above it. */
	parentToolCallId: string | undefined;
	/** The parts whose text a person had said. */
	readonly userParts: Set<string>;
	/** The end of what each call has put out, by its part. */
	readonly outputs: Map<string, string>;
	/** The calls that were shown and have not ended. */
	readonly shownCalls: Set<string>;
}

/** The runs of a log that have not ended. */
export class KnownRuns {
	readonly #runs = new Map<string, KnownRun>();

	of(data: Facts): KnownRun | undefined {
		return this.#runs.get(runIdIn(data));
	}

	/** Takes note of what an event begins. */
	open({ event, data }: Envelope): void {
		switch (event) {
			case "run.started":
				this.#start(data);
				break;
			case "part.created":
				openPart(this.#knownRun(data), data);
				break;
			case "tool_call.output.delta":
				appendOutput(this.#knownRun(data), data);
				break;
		}
	}

	/** Forgets what an event ends. */
	close({ event, data }: Envelope): void {
		switch (event) {
			case "part.completed":
				closePart(this.of(data), data);
				if (data.type === "tool-call") showCall(this.#knownRun(data), data);
				break;
			case "part.failed":
				closePart(this.of(data), data);
				break;
			case "run.completed":
			case "run.failed":
			case "run.interrupted":
				this.#runs.delete(runIdIn(data));
				break;
			case "stream.ended":
				this.#runs.clear();
				break;
		}
	}

	#start(data: Facts): void {
		const run = this.#knownRun(data);
		run.model = nameIn(data, "model");
		run.parentToolCallId = nameIn(data, "parentToolCallId") ?? run.parentToolCallId;
	}

	/** Also of a run whose beginning was not seen. */
	#knownRun(data: Facts): KnownRun {
		const known = this.of(data);
		if (known !== undefined) return known;
		const above = this.#runs.get(textIn(data, "parentRunId") ?? "");
		const run: KnownRun = {
			model: undefined,
			parentToolCallId: above?.parentToolCallId,
			userParts: new Set(),
			outputs: new Map(),
			shownCalls: new Set(),
		};
		this.#runs.set(runIdIn(data), run);
		return run;
	}
}

function openPart(run: KnownRun, data: Facts): void {
	const partId = textIn(data, "partId");
	if (partId !== undefined && data.role === "user") run.userParts.add(partId);
	if (data.type === "tool-output") showCall(run, data);
}

function showCall(run: KnownRun, data: Facts): void {
	const toolCallId = nameIn(data, "toolCallId");
	if (toolCallId !== undefined) run.shownCalls.add(toolCallId);
}

function appendOutput(run: KnownRun, data: Facts): void {
	const partId = textIn(data, "partId") ?? "";
	run.outputs.set(partId, appendToEnd(run.outputs.get(partId) ?? "", textIn(data, "delta") ?? ""));
}

function closePart(run: KnownRun | undefined, data: Facts): void {
	const partId = textIn(data, "partId") ?? "";
	run?.userParts.delete(partId);
	run?.outputs.delete(partId);
	run?.shownCalls.delete(textIn(data, "toolCallId") ?? "");
}
