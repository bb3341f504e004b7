import { GrowingText } from "../text/growing-text.js";
import type { NewDelta } from "./stream-context.js";
import type { FailureFacts, PartEnd, PartFacts, PartType } from "./stream-event.js";
import type { DeltaEventName } from "./stream-events.js";

/** The characters of one part of a tool's output that are streamed. A script that prints without end must not fill every log. */
export const MAX_STREAMED_OUTPUT: number = 1024 * 1024;

/** What a part is made with; its id comes by itself. */
export type NewPart = Omit<PartFacts, "partId">;

/** What there is to say of a part at its end besides what was streamed. */
export type PartEnding = Omit<Partial<PartEnd>, keyof PartFacts | "finalContent" | "droppedCharacters">;

/** A part of a run's output while it grows. Ended once; what comes later is dropped. */
export interface PartWriter {
	readonly partId: string;
	readonly isOpen: boolean;
	/** Its pieces so far, joined. */
	readonly content: string;
	/** Publishes a piece. Nothing is published for an empty one. */
	delta(text: string, stream?: "stdout" | "stderr"): void;
	complete(ending?: PartEnding): void;
	fail(error: FailureFacts, ending?: PartEnding): void;
}

/** What a part's writer does to the run it belongs to. */
export interface PartPorts {
	/** `false`: nobody would notice, so its number is taken and the event not made. */
	readonly wantsDelta: () => boolean;
	readonly skip: () => void;
	readonly publishDelta: (delta: NewDelta) => void;
	readonly publish: (event: DeltaEventName | "part.created" | "part.completed" | "part.failed", data: object) => void;
	readonly onEnd: (part: PartWriter) => void;
}

const DELTA_OF: Readonly<Record<PartType, DeltaEventName>> = {
	text: "text.delta",
	refusal: "text.delta",
	reasoning: "reasoning.delta",
	"tool-call": "tool_call.arguments.delta",
	"tool-output": "tool_call.output.delta",
	data: "data.delta",
	file: "data.delta",
};

/** Publishes a part's beginning at once, then its pieces and its end. The end repeats all pieces as one text. */
export class PublishedPart implements PartWriter {
	readonly partId: string;
	readonly #facts: PartFacts;
	readonly #ports: PartPorts;
	readonly #delta: DeltaEventName;
	readonly #content = new GrowingText();
	#dropped = 0;
	#isOpen = true;

	constructor(facts: PartFacts, ports: PartPorts) {
		this.partId = facts.partId;
		this.#facts = facts;
		this.#ports = ports;
		this.#delta = DELTA_OF[facts.type];
		ports.publish("part.created", { ...facts });
	}

	get isOpen(): boolean {
		return this.#isOpen;
	}

	get content(): string {
		return this.#content.toString();
	}

	delta(text: string, stream?: "stdout" | "stderr"): void {
		// tools written in JavaScript hand on what they have
		if (!this.#isOpen || typeof text !== "string") return;
		const delta = this.#facts.type === "tool-output" ? this.#withinLimit(text) : text;
		if (delta === "") return;
		this.#content.add(delta);
		const { partId } = this;
		const { toolCallId } = this.#facts;
		// output is always made: what a card shows of it is put together from its pieces
		if (stream !== undefined) this.#ports.publish(this.#delta, { partId, toolCallId, delta, stream });
		else if (!this.#ports.wantsDelta()) this.#ports.skip();
		else if (toolCallId === undefined) this.#ports.publishDelta({ event: this.#delta, partId, delta });
		else this.#ports.publish(this.#delta, { partId, toolCallId, delta });
	}

	complete(ending: PartEnding = {}): void {
		this.#end("part.completed", ending);
	}

	fail(error: FailureFacts, ending: PartEnding = {}): void {
		this.#end("part.failed", { ...ending, error });
	}

	#end(event: "part.completed" | "part.failed", ending: object): void {
		if (!this.#isOpen) return;
		this.#isOpen = false;
		const dropped = this.#dropped > 0 && { droppedCharacters: this.#dropped };
		this.#ports.publish(event, { ...ending, ...this.#facts, finalContent: this.content, ...dropped });
		this.#ports.onEnd(this);
	}

	#withinLimit(text: string): string {
		const room = MAX_STREAMED_OUTPUT - this.#content.length;
		if (text.length <= room && this.#dropped === 0) return text;
		const fits = this.#dropped > 0 ? "" : wholeCharacters(text, room);
		this.#dropped += text.length - fits.length;
		return fits;
	}
}

/** The first so many code units, less one where that would part a surrogate pair. */
function wholeCharacters(text: string, length: number): string {
	const isPair = /[\ud800-\udbff]/.test(text.charAt(length - 1));
	return text.slice(0, isPair ? length - 1 : length);
}
