import { parentPort } from "node:worker_threads";
import { ConfigurationError } from "../errors/configuration-error.js";
import { checkNames } from "../options/check-options.js";
import { type Delegate, isDelegate } from "../robot/delegation-future.js";
import { EventLog } from "../stream/event-log.js";
import { RunInside } from "../stream/open-run.js";
import { RunPublisher } from "../stream/run-publisher.js";
import { describeValue, isList, isRecord } from "../text/describe-value.js";
import { didYouMean } from "../text/nearest-names.js";
import { KeepAlive } from "./keep-alive.js";
import { readAsked, type TaskFlaw } from "./read-task-message.js";
import { abortRecord, failureRecord, reasonFromRecord } from "./task-failure.js";
import { markedForTasks, type OfRun, type RunMessage, type ServingMessage } from "./task-messages.js";
import { badMessage } from "./task-refusals.js";
import { listenOn, type ThreadPort } from "./thread-port.js";

/** What {@link serveTasks} takes. */
export interface ServeTasksOptions {
	/** Who is run when others ask for a name: by their own names, or by those of the record. */
	readonly robots: readonly Delegate[] | Readonly<Record<string, Delegate>>;
	/** Where those are who ask. Default: `parentPort`, the thread that started this one. */
	readonly port?: ThreadPort;
}

/** Robots that another thread may have run. */
export interface TaskService extends Disposable {
	/** Nothing is run for the other thread any longer: what runs is aborted there, and fails here with TaskRunnerError `worker_lost`. Harmless when done twice. */
	stop(): void;
}

/**
 * Runs robots of this thread for the one at the other end of a port, where `ThreadTaskRunner`s ask for them. They are what they are here: with the memory, the hooks, the
 * tools and the configuration of this thread. Ends with the port or with `stop()`; what runs then is aborted. What is posted on the port and is not about tasks is passed
 * over; what says that it is, and is wrong or of another version, fails the run that it names, and where it names none ends the service, and the other side is told why.
 *
 * The main thread is kept alive while something runs, a worker thread for as long as it serves.
 *
 * Throws ConfigurationError for robots that are none and where there is no port.
 */
export function serveTasks(options: ServeTasksOptions): TaskService {
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
	const server = new TaskServer(robots, port);
	const stop = (): void => server.stop("tasks are not served any longer");
	return { stop, [Symbol.dispose]: stop };
}

class TaskServer {
	readonly #robots: ReadonlyMap<string, Delegate>;
	readonly #port: ThreadPort;
	readonly #keepAlive = new KeepAlive();
	readonly #running = new Map<string, AbortController>();
	readonly #stopListening: () => void;
	#isOver = false;

	constructor(robots: ReadonlyMap<string, Delegate>, port: ThreadPort) {
		this.#robots = robots;
		this.#port = port;
		this.#stopListening = listenOn(port, { onMessage: (value) => this.#take(value), onEnd: (reason) => this.stop(reason) });
		this.#keepAlive.hold(false, true);
	}

	stop(reason: string): void {
		if (this.#isOver) return;
		this.#send({ kind: "ended", reason });
		this.#isOver = true;
		this.#stopListening();
		this.#keepAlive.end();
		for (const running of this.#running.values()) running.abort(reasonFromRecord(abortRecord(reason)));
	}

	#take(value: unknown): void {
		const message = readAsked(value);
		if (message === undefined) return;
		if (message.kind === "flaw") this.#refuse(message);
		else if (message.kind === "abort") this.#running.get(keyOf(message))?.abort(reasonFromRecord(message.abort));
		else if (this.#running.has(keyOf(message))) this.#refuse({ ...message, kind: "flaw", reason: "it begins a run that goes on" });
		else void this.#run(message);
	}

	/** The run that it names fails. Where it names none, somebody may wait for what was meant. */
	#refuse({ link, run, reason }: TaskFlaw): void {
		if (link === undefined || run === undefined) {
			this.stop(`a message on the port was refused: ${reason}`);
			return;
		}
		const error = badMessage("What the thread that has the robots is asked", reason);
		this.#running.get(keyOf({ link, run }))?.abort(reasonFromRecord(abortRecord(error)));
		this.#send({ kind: "failure", link, run, failure: failureRecord(error) });
	}

	async #run(message: RunMessage): Promise<void> {
		const { link, run, robot } = message;
		const key = keyOf(message);
		const stop = new AbortController();
		if (message.abort !== undefined) stop.abort(reasonFromRecord(message.abort));
		this.#running.set(key, stop);
		this.#keepAlive.hold(true, true);
		try {
			const answer = await this.#answer(message, stop.signal);
			this.#send({ kind: "answer", link, run, json: jsonOf(robot, answer) });
		} catch (error) {
			this.#send({ kind: "failure", link, run, failure: failureRecord(error) });
		}
		this.#running.delete(key);
		this.#keepAlive.hold(this.#running.size > 0, true);
	}

	async #answer({ link, run, robot: name, message, options, isWatched }: RunMessage, signal: AbortSignal): Promise<unknown> {
		const robot = this.#robots.get(name);
		if (robot === undefined) throw this.#unknown(name);
		if (!isWatched) return robot.run(message, { ...options, signal });
		const log = new EventLog({ history: 0 });
		log.subscribe((event) => this.#send({ kind: "event", link, run, event }));
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

	#send(message: ServingMessage): void {
		// nobody listens to what still comes to its end
		if (!this.#isOver) this.#port.postMessage(markedForTasks(message));
	}
}

/** Which run of whom. */
const keyOf = ({ link, run }: OfRun): string => `${run} ${link}`;

function byName(robots: unknown): ReadonlyMap<string, Delegate> {
	if (!isList(robots) && !isRecord(robots)) {
		throw new ConfigurationError(`serveTasks() needs robots, as a list or as a record by their names, got ${describeValue(robots)}.`);
	}
	const entries = isList(robots) ? robots.map((robot): [unknown, unknown] => [nameOf(robot), robot]) : Object.entries(robots);
	const named = new Map<string, Delegate>();
	for (const [name, robot] of entries) {
		if (typeof name !== "string" || !isDelegate(robot))
			throw new ConfigurationError(`serveTasks() needs robots, got ${describeValue(robot)}.`);
		if (named.has(name))
			throw new ConfigurationError(`serveTasks() has two robots ${describeValue(name)}. Give them as a record: { name: robot }.`);
		named.set(name, robot);
	}
	if (named.size === 0) throw new ConfigurationError("serveTasks() needs at least one robot.");
	return named;
}

const nameOf = (robot: unknown): unknown => (isRecord(robot) ? robot.name : undefined);

/** Throws ConfigurationError for what cannot be written. What can is looked at by whoever asked. */
function jsonOf(robot: string, answer: unknown): string | null {
	try {
		return JSON.stringify(answer) ?? null;
	} catch (cause) {
		throw new ConfigurationError(`The robot "${robot}" must come to a RobotResult, and came to what cannot be written as JSON.`, { cause });
	}
}
