import { parentPort } from "node:worker_threads";
import { ConfigurationError } from "../errors/configuration-error.js";
import { checkNames } from "../options/check-options.js";
import type { Delegate } from "../robot/delegation-future.js";
import { EventLog } from "../stream/event-log.js";
import { RunInside } from "../stream/open-run.js";
import { RunPublisher } from "../stream/run-publisher.js";
import { describeValue, isList, isRecord } from "../text/describe-value.js";
import { didYouMean } from "../text/nearest-names.js";
import { KeepAlive } from "./keep-alive.js";
import { abortReason, abortRecord, failureRecord } from "./task-failure.js";
import { type AskingMessage, isOfTasks, posted, type RunMessage, type ServingMessage, TASK_PROTOCOL_VERSION } from "./task-messages.js";
import { listenOn, type ThreadPort } from "./thread-port.js";

/** What {@link serveTasks} takes. */
export interface ServeTasksOptions {
	/** Who is run when others ask for a name: by their own names, or by those of the record. */
	readonly robots: readonly Delegate[] | Readonly<Record<string, Delegate>>;
	/** Where those are who ask. Default: `parentPort`, the thread that started this one. */
	readonly port?: ThreadPort;
}

/**
 * Runs robots of this thread for the one at the other end of a port, where a `ThreadTaskRunner` asks for them. They are what they are here: with the memory, the hooks, the
 * tools and the configuration of this thread. Ends with the port; what runs then is aborted. Throws ConfigurationError for robots that are none and
 * where there is no port.
 */
export function serveTasks(options: ServeTasksOptions): void {
	checkNames("serveTasks()", options, ["robots", "port"]);
	const robots = byName(options.robots);
	const port = options.port ?? parentPort;
	if (port === null || typeof port?.postMessage !== "function") {
		throw new ConfigurationError(
			port === null
				? "serveTasks() needs a port, as this is the main thread, which has no parentPort: give it one of a MessageChannel."
				: `serveTasks() needs a port of node:worker_threads as port, got ${describeValue(port)}.`,
		);
	}
	new TaskServer(robots, port);
}

class TaskServer {
	readonly #robots: ReadonlyMap<string, Delegate>;
	readonly #port: ThreadPort;
	readonly #keepAlive = new KeepAlive();
	readonly #running = new Map<number, AbortController>();

	constructor(robots: ReadonlyMap<string, Delegate>, port: ThreadPort) {
		this.#robots = robots;
		this.#port = port;
		listenOn(port, { onMessage: (value) => this.#take(value), onEnd: (reason) => this.#end(reason) });
		this.#keepAlive.hold(false, true);
	}

	#take(value: unknown): void {
		if (!isOfTasks(value)) return;
		const message = value as unknown as AskingMessage;
		if (value.robotLabTasks !== TASK_PROTOCOL_VERSION) this.#refuseVersion(value.run, value.robotLabTasks);
		else if (message.kind === "abort") this.#running.get(message.run)?.abort(abortReason(message.abort));
		else void this.#run(message);
	}

	async #run(message: RunMessage): Promise<void> {
		const { run } = message;
		const stop = new AbortController();
		if (message.abort !== undefined) stop.abort(abortReason(message.abort));
		this.#running.set(run, stop);
		this.#keepAlive.hold(true, true);
		try {
			const answer = await this.#answer(message, stop.signal);
			this.#send({ kind: "answer", run, json: jsonOf(message.robot, answer) });
		} catch (error) {
			this.#send({ kind: "failure", run, failure: failureRecord(error) });
		}
		this.#running.delete(run);
		this.#keepAlive.hold(this.#running.size > 0, true);
	}

	async #answer({ run, robot: name, message, options, isWatched }: RunMessage, signal: AbortSignal): Promise<unknown> {
		const robot = this.#robots.get(name);
		if (robot === undefined) throw this.#unknown(name);
		if (!isWatched) return robot.run(message, { ...options, signal });
		const log = new EventLog({ history: 0 });
		log.subscribe((event) => this.#send({ kind: "event", run, event }));
		const root = RunPublisher.root(log, { name, scope: "task" });
		try {
			return await robot.run(message, { ...options, signal, parent: new RunInside(root, signal) });
		} finally {
			root.end({ event: "run.completed" });
		}
	}

	#unknown(name: string): ConfigurationError {
		const names = [...this.#robots.keys()];
		return new ConfigurationError(
			`The thread that is asked for it serves no robot ${describeValue(name)}.${didYouMean(name, names)} It serves ${names.join(", ")}.`,
		);
	}

	#refuseVersion(run: number, version: number): void {
		const why = `The thread that has the robots speaks version ${TASK_PROTOCOL_VERSION} of what threads say to each other about tasks, and was asked in ${version}. Load the same @robot-lab/core in both.`;
		this.#send({ kind: "failure", run, failure: failureRecord(new ConfigurationError(why)) });
	}

	/** Nobody is there any more. */
	#end(reason: string): void {
		for (const stop of this.#running.values()) stop.abort(abortReason(abortRecord(reason)));
		this.#keepAlive.end();
	}

	#send(message: ServingMessage): void {
		this.#port.postMessage(posted(message));
	}
}

function byName(robots: unknown): ReadonlyMap<string, Delegate> {
	if (!isList(robots) && !isRecord(robots)) {
		throw new ConfigurationError(`serveTasks() needs robots, as a list or as a record by their names, got ${describeValue(robots)}.`);
	}
	const entries = isList(robots) ? robots.map((robot): [unknown, unknown] => [nameOf(robot), robot]) : Object.entries(robots);
	const named = new Map<string, Delegate>();
	for (const [name, robot] of entries) {
		if (typeof name !== "string" || !canRun(robot)) throw new ConfigurationError(`serveTasks() needs robots, got ${describeValue(robot)}.`);
		if (named.has(name))
			throw new ConfigurationError(`serveTasks() has two robots ${describeValue(name)}. Give them as a record: { name: robot }.`);
		named.set(name, robot);
	}
	if (named.size === 0) throw new ConfigurationError("serveTasks() needs at least one robot.");
	return named;
}

const nameOf = (robot: unknown): unknown => (isRecord(robot) ? robot.name : undefined);

const canRun = (robot: unknown): robot is Delegate => isRecord(robot) && typeof robot.run === "function";

/** Throws ConfigurationError for what cannot be written. What can is looked at by whoever asked. */
function jsonOf(robot: string, answer: unknown): string | undefined {
	try {
		return JSON.stringify(answer);
	} catch (cause) {
		throw new ConfigurationError(`The robot "${robot}" must come to a RobotResult, and came to what cannot be written as JSON.`, { cause });
	}
}
