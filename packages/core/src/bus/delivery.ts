import type { Json } from "../json/json-values.js";
import type { OpenRun } from "../stream/open-run.js";
import type { RobotMessage } from "./robot-message.js";
import type { SentMessage } from "./sent-message.js";

/**
 * A message in the hands of a handler.
 *
 * @typeParam Content What the message holds.
 */
export interface Delivery<Content = Json> {
	readonly message: RobotMessage<Content>;
	/** Which attempt it is, from 1. */
	readonly attempt: number;
	/** Aborted when its time is up or the bus is closed: what goes on then is for nobody. */
	readonly signal: AbortSignal;
	/** The run of this attempt in the log, for `robot.run(text, { parent: delivery.run })`. `undefined` where the bus has no log. */
	readonly run: OpenRun | undefined;
	/** It is handled. Throws BusError `already_settled` where it was settled before: by hand, by its handler's end, or because its time was up. */
	ack(): void;
	/** It is refused: tried again where there are attempts left, dead otherwise. Throws as {@link ack} does. */
	nack(reason?: unknown): void;
	/** So many milliseconds from now until it must be settled, 1 to 2147483647. Throws as {@link ack} does. */
	extend(ms: number): void;
	/** Answers it. Resolves and rejects as `sendReply()` does. A handler that fails with what its answer was refused with is not called again: its work is done. */
	reply(content: unknown): Promise<SentMessage>;
}
