import type { PublishedEvent } from "../stream/stream-event.js";
import type { CrossingOptions } from "./task-crossing.js";
import type { AbortRecord, FailureRecord } from "./task-failure.js";

/**
 * The version of what two threads say to each other about runs of robots. Every message has it as `robotLabTasks`; what has none belongs to others who
 * use the port. All versions name the run in the same way and have `failure` and `ended`, so that each understands that the other does not understand it.
 */
export const TASK_PROTOCOL_VERSION = 1;

/** A message about one run. Who asks for runs counts them, and has a name that nobody else has who asks on the same port. */
export interface OfRun {
	readonly link: string;
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
	/** What the robot came to, as the text of JSON; `null` for what JSON has no word for. */
	| ({ readonly kind: "answer"; readonly json: string | null } & OfRun)
	| ({ readonly kind: "failure"; readonly failure: FailureRecord } & OfRun)
	/** Nothing is run for anybody on this port any longer. */
	| { readonly kind: "ended"; readonly reason: string };

/** A message as it is posted. */
export const markedForTasks = <Message extends AskingMessage | ServingMessage>(
	message: Message,
): Message & { readonly robotLabTasks: number } => ({ ...message, robotLabTasks: TASK_PROTOCOL_VERSION });
