import type { Worker } from "node:worker_threads";
import { RobotLabError } from "../errors/robot-lab-error.js";
import { type Deferred, deferred } from "../process/deferred.js";
import { onAbort } from "../process/on-abort.js";
import { failureFacts } from "../run/failure-facts.js";
import type { OpenRun } from "../stream/open-run.js";
import type { PublishedEvent } from "../stream/stream-event.js";
import { messageOf } from "../text/message-of.js";
import { KeepAlive } from "./keep-alive.js";
import type { CrossingOptions } from "./task-crossing.js";
import { abortRecord, failureOf } from "./task-failure.js";
import { type AskingMessage, isOfTasks, posted, type ServingMessage } from "./task-messages.js";
import { TaskReplay } from "./task-replay.js";
import { listenOn, type ThreadPort } from "./thread-port.js";

/** A robot's run in another thread. */
export interface RemoteRun {
	readonly robot: string;
	readonly message: string;
	readonly options: CrossingOptions;
	/** The run beneath which it is told. `undefined`: nobody is told. */
	readonly parent: OpenRun | undefined;
	readonly signal: AbortSignal | undefined;
}

interface Running {
	readonly robot: string;
	readonly end: Deferred<unknown>;
	readonly replay: TaskReplay | undefined;
	readonly stopListening: (() => void) | undefined;
	isAborted: boolean;
}

/** The end of a port at which runs are asked for. */
export class TaskLink {
	readonly #port: ThreadPort;
	readonly #keepAlive = new KeepAlive();
	readonly #running = new Map<number, Running>();
	readonly #stopListening: () => void;
	#last = 0;
	/** What runs are refused with once nothing can be run here any more. */
	#ended: ((robot: string) => Error) | undefined;
	/** What the thread failed with, which is told before its end. */
	#failure: unknown;

	constructor(port: ThreadPort) {
		this.#port = port;
		const onFailure = (error: unknown): void => {
			this.#failure = error;
		};
		const stop = listenOn(port, { onMessage: (value) => this.#take(value), onEnd: (reason) => this.#lose(reason) });
		const events = port as Worker;
		events.on("error", onFailure);
		this.#stopListening = () => {
			stop();
			events.off("error", onFailure);
		};
		if (events.threadId === -1) this.#lose("the worker thread has ended");
	}

	/** Whether nothing can be run here any more. */
	get isEnded(): boolean {
		return this.#ended !== undefined;
	}

	/** How many run. */
	get load(): number {
		return this.#running.size;
	}

	/** Comes to what the robot came to, which nobody has looked at yet. */
	async run({ robot, message, options, parent, signal }: RemoteRun): Promise<unknown> {
		if (this.#ended !== undefined) throw this.#ended(robot);
		const run = ++this.#last;
		const replay = parent === undefined ? undefined : new TaskReplay(parent, () => this.#abort(run, undefined));
		const end = deferred<unknown>();
		const isAborted = signal?.aborted === true;
		const stopListening = signal && !isAborted ? onAbort(signal, () => this.#abort(run, signal.reason)) : undefined;
		this.#running.set(run, { robot, end, replay, stopListening, isAborted });
		this.#hold();
		const begun = { kind: "run", run, robot, message, options, isWatched: parent !== undefined } as const;
		this.#send(isAborted ? { ...begun, abort: abortRecord(signal.reason) } : begun);
		return end.promise;
	}

	/** Leaves: what runs is stopped, and fails with the error. Harmless when done twice. */
	close(error: Error): void {
		this.#stopListening();
		for (const run of this.#running.keys()) this.#abort(run, error);
		this.#end(() => error);
	}

	#take(value: unknown): void {
		if (!isOfTasks(value) || !this.#running.has(value.run)) return;
		const message = value as unknown as ServingMessage;
		if (message.kind === "event") this.#replay(message.run, message.event);
		else if (message.kind === "failure") this.#settled(message.run)?.end.reject(failureOf(message.failure));
		else this.#settled(message.run)?.end.resolve(message.json === undefined ? undefined : JSON.parse(message.json));
	}

	/** A run that cannot be told of does not go on, as none of this thread would. */
	#replay(run: number, event: PublishedEvent): void {
		try {
			this.#running.get(run)?.replay?.observe(event);
		} catch (error) {
			this.#abort(run, error);
			this.#settled(run)?.end.reject(error);
		}
	}

	#lose(reason: string): void {
		const cause = this.#failure;
		const why = cause === undefined ? reason : `${reason}: ${messageOf(cause)}`;
		this.#end((robot) => lost(robot, why, cause));
	}

	#settled(run: number): Running | undefined {
		const running = this.#running.get(run);
		running?.stopListening?.();
		this.#running.delete(run);
		this.#hold();
		return running;
	}

	#end(failure: (robot: string) => Error): void {
		this.#ended ??= failure;
		for (const run of [...this.#running.keys()]) {
			const running = this.#settled(run);
			if (running === undefined) continue;
			const error = failure(running.robot);
			running.replay?.breakOff(failureFacts(error));
			running.end.reject(error);
		}
		this.#keepAlive.end();
	}

	/** Who waits for one that was aborted is not held up by one that does not heed it. */
	#hold(): void {
		const isAwaited = [...this.#running.values()].some(({ isAborted }) => !isAborted);
		this.#keepAlive.hold(isAwaited, false);
	}

	#abort(run: number, reason: unknown): void {
		const running = this.#running.get(run);
		if (running === undefined) return;
		running.isAborted = true;
		this.#hold();
		this.#send({ kind: "abort", run, abort: abortRecord(reason) });
	}

	#send(message: AskingMessage): void {
		this.#port.postMessage(posted(message));
	}
}

const lost = (robot: string, why: string, cause: unknown): RobotLabError =>
	new RobotLabError(
		"worker_lost",
		`The thread in which "${robot}" runs is gone before it came to its end (${why}). It may have done a part of it. To try again: retries of the task.`,
		{ cause },
	);
