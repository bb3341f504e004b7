import { randomBytes } from "node:crypto";
import type { Worker } from "node:worker_threads";
import { RobotLabError } from "../errors/robot-lab-error.js";
import { type Deferred, deferred } from "../process/deferred.js";
import { onAbort } from "../process/on-abort.js";
import { failureFacts } from "../stream/failure-facts.js";
import type { OpenRun } from "../stream/open-run.js";
import type { PublishedEvent } from "../stream/stream-event.js";
import { messageOf } from "../text/message-of.js";
import { KeepAlive } from "./keep-alive.js";
import { readServed, type TaskFlaw } from "./read-task-message.js";
import type { CrossingOptions } from "./task-crossing.js";
import { abortRecord, errorFromRecord } from "./task-failure.js";
import { type AskingMessage, markedForTasks } from "./task-messages.js";
import { badMessage, workerLost } from "./task-refusals.js";
import { TaskReplay } from "./task-replay.js";
import { listenOn, type ThreadPort } from "./thread-port.js";

const NAME_BYTES = 8;

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

/** The end of a port at which runs are asked for. Others may ask for theirs on the same port. */
export class TaskLink {
	/** That no other link has. */
	readonly #name = randomBytes(NAME_BYTES).toString("hex");
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
		const begun = { kind: "run", link: this.#name, run, robot, message, options, isWatched: parent !== undefined } as const;
		this.#send(isAborted ? { ...begun, abort: abortRecord(signal.reason) } : begun);
		return end.promise;
	}

	/** Leaves: what runs is stopped, and fails with the error. Harmless when done twice. */
	close(error: Error): void {
		this.#end(() => error);
	}

	#take(value: unknown): void {
		const message = readServed(value, this.#name);
		if (message === undefined) return;
		switch (message.kind) {
			case "event":
				this.#replay(message.run, message.event);
				break;
			case "answer":
				this.#settled(message.run)?.end.resolve(message.answer);
				break;
			case "failure":
				this.#settled(message.run)?.end.reject(errorFromRecord(message.failure));
				break;
			case "ended":
				this.#lose(message.reason);
				break;
			case "flaw":
				this.#refuse(message);
				break;
		}
	}

	/** Where it names no run, any may wait for it in vain. */
	#refuse({ link, run, reason }: TaskFlaw): void {
		const error = (robot: string): Error => badMessage(`What the thread says in which "${robot}" runs`, reason);
		if (link === undefined || run === undefined) {
			this.#end(error);
			return;
		}
		const running = this.#running.get(run);
		if (running !== undefined) this.#fail(run, error(running.robot));
	}

	/** A run that cannot be told of does not go on, as none of this thread would. */
	#replay(run: number, event: PublishedEvent): void {
		const running = this.#running.get(run);
		try {
			running?.replay?.observe(event);
		} catch (error) {
			const what = `What the thread tells of the run of "${running?.robot}"`;
			this.#fail(run, RobotLabError.isInstance(error) ? error : badMessage(what, messageOf(error), error));
		}
	}

	#lose(reason: string): void {
		const cause = this.#failure;
		const why = cause === undefined ? reason : `${reason}: ${messageOf(cause)}`;
		this.#end((robot) => workerLost(robot, why, cause));
	}

	#settled(run: number): Running | undefined {
		const running = this.#running.get(run);
		running?.stopListening?.();
		this.#running.delete(run);
		this.#hold();
		return running;
	}

	#end(failure: (robot: string) => Error): void {
		if (this.#ended !== undefined) return;
		this.#ended = failure;
		this.#stopListening();
		for (const [run, { robot }] of [...this.#running]) this.#fail(run, failure(robot));
		this.#keepAlive.end();
	}

	/** Stops it where it goes on, and tells here what it did not live to tell. */
	#fail(run: number, error: Error): void {
		this.#abort(run, error);
		const running = this.#settled(run);
		running?.replay?.breakOff(failureFacts(error));
		running?.end.reject(error);
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
		this.#send({ kind: "abort", link: this.#name, run, abort: abortRecord(reason) });
	}

	#send(message: AskingMessage): void {
		this.#port.postMessage(markedForTasks(message));
	}
}
