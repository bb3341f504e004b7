import type { PublishedEvent } from "../stream/stream-event.js";
import { isRecord } from "../text/describe-value.js";
import type { CrossingOptions } from "./task-crossing.js";
import type { AbortRecord, FailureRecord } from "./task-failure.js";

/**
 * The version of what two threads say to each other about runs of robots. Every message has it as `robotLabTasks`; what has none belongs to others who
 * use the port. A run that is asked for in another version is answered with `failure`, which is the same in all.
 */
export const TASK_PROTOCOL_VERSION = 1;

/** A message about one run. Who asks for runs counts them, per port. */
interface OfRun {
	readonly run: number;
}

/** A robot is to be run. */
export interface RunMessage extends OfRun {
	readonly kind: "run";
	readonly robot: string;
	readonly message: string;
	readonly options: CrossingOptions;
	/** Whether anybody wants to be told what goes on in it. */
	readonly isWatched: boolean;
	/** It was aborted before it began. */
	readonly abort?: AbortRecord;
}

/** What the side says that asks for runs. */
export type AskingMessage = RunMessage | ({ readonly kind: "abort"; readonly abort: AbortRecord } & OfRun);

/** What the side says that has the robots. */
export type ServingMessage =
	| ({ readonly kind: "event"; readonly event: PublishedEvent } & OfRun)
	/** What the robot came to, as the text of JSON; `undefined` for what JSON has no word for. */
	| ({ readonly kind: "answer"; readonly json: string | undefined } & OfRun)
	| ({ readonly kind: "failure"; readonly failure: FailureRecord } & OfRun);

/** A message as it is posted. */
export type Posted<Message> = Message & { readonly robotLabTasks: number };

export const posted = <Message extends AskingMessage | ServingMessage>(message: Message): Posted<Message> => ({
	...message,
	robotLabTasks: TASK_PROTOCOL_VERSION,
});

/** Whether what arrived is one of these, of whatever version. */
export const isOfTasks = (value: unknown): value is Posted<{ readonly run: number; readonly kind: unknown }> =>
	isRecord(value) && typeof value.robotLabTasks === "number" && typeof value.run === "number";
