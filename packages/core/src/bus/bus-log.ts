import type { Json } from "../json/json-values.js";
import { onAbort } from "../process/on-abort.js";
import { type OpenRun, RunInside } from "../stream/open-run.js";
import { type RunEnding, RunPublisher } from "../stream/run-publisher.js";
import type { FailureFacts } from "../stream/stream-event.js";
import type { Attempt } from "./attempt.js";
import type { ResolvedBusOptions } from "./bus-options.js";
import { contentBeginning } from "./content-text.js";
import type { DeadLetter } from "./dead-letters.js";
import { messageKey, type RobotMessage } from "./robot-message.js";

/** `bus.message`: every recipient's queue has taken it, or it is given up before. */
export type MessageFacts = {
	readonly key: string;
	readonly from: string;
	readonly to: string;
	readonly content: Json;
	/** The key of the message that it answers. */
	readonly inReplyTo?: string;
	/** How many have it. 0: whoever sent it gave up while it waited for room with some, or the bus ended; others may have it. */
	readonly recipients: number;
};

/** `bus.dead_letter`: one recipient has not handled it. */
export type DeadLetterFacts = Pick<DeadLetter, "reason" | "attempts" | "error"> & { readonly key: string; readonly to: string };

/** `bus.delivery`, at the beginning of the run of an attempt. */
export type DeliveryFacts = { readonly key: string; readonly attempt: number };

/** The whole of it stands in the event of the message. */
const MAX_INPUT_CHARACTERS = 10_000;

/** Tells what a bus does as a run of scope `bus`, with a run of scope `delivery` beneath it for each attempt. */
export class BusLog {
	/** For what runs beneath the bus. */
	readonly run: OpenRun;
	readonly #run: RunPublisher;

	/** @param onCut Called when the run above ends: what no log tells of any more must not go on. */
	static of({ name, log, parent }: ResolvedBusOptions, onCut: () => void): BusLog | undefined {
		const begun = { name, scope: "bus" };
		if (parent !== undefined) return new BusLog(RunInside.beginBeneath(parent, begun), onCut);
		return log && new BusLog(RunPublisher.root(log, begun), onCut);
	}

	private constructor(run: RunPublisher, onCut: () => void) {
		this.#run = run;
		this.run = new RunInside(run, run.cut);
		if (run.cut !== undefined) onAbort(run.cut, onCut);
	}

	message({ from, to, content, inReplyTo, id }: RobotMessage, recipients: number): void {
		const facts: MessageFacts = {
			key: messageKey({ from, id }),
			from,
			to,
			content,
			...(inReplyTo !== undefined && { inReplyTo }),
			recipients,
		};
		this.#run.publish("bus.message", facts);
	}

	deadLetter({ message, reason, attempts, error }: DeadLetter): void {
		const facts: DeadLetterFacts = { key: messageKey(message), to: message.to, reason, attempts, ...(error !== undefined && { error }) };
		this.#run.publish("bus.dead_letter", facts);
	}

	/** Begins the run of an attempt. `undefined`: the bus's own is over. */
	attempt({ transport: { message }, attempt }: Attempt): RunPublisher | undefined {
		if (!this.#run.isOpen) return undefined;
		const input = contentBeginning(message.content, MAX_INPUT_CHARACTERS);
		const run = this.#run.begin({ name: message.to, scope: "delivery", input });
		const facts: DeliveryFacts = { key: messageKey(message), attempt };
		run.publish("bus.delivery", facts);
		return run;
	}

	/** @param failure What the bus ended with, where that was no `close()`. */
	end(failure: FailureFacts | undefined): void {
		this.#run.end(failure === undefined ? { event: "run.completed" } : { event: "run.failed", error: failure, recoverable: false });
	}
}

/** How the run of an attempt ends whose handler has come to its end. */
export function attemptEnding({ state, refusal }: Attempt): RunEnding {
	if (state === "acked") return { event: "run.completed" };
	if (refusal === undefined) return { event: "run.interrupted", reason: "other" };
	const error = refusal.error ?? { code: refusal.reason, message: "The handler refused the message without saying why." };
	return { event: "run.failed", error, recoverable: false };
}
