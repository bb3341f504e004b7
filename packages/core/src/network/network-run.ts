import { ConfigurationError } from "../errors/configuration-error.js";
import { NetworkError } from "../errors/network-error.js";
import type { Hook } from "../hook/hook.js";
import { HookChain } from "../hook/hook-chain.js";
import type { RegisteredHook } from "../hook/registered-hook.js";
import type { Memory } from "../memory/memory.js";
import type { RobotResult } from "../message/robot-result.js";
import { anySignal } from "../process/any-signal.js";
import { onAbort } from "../process/on-abort.js";
import { abortReason, failedEnding } from "../run/run-ending.js";
import { failureFacts } from "../stream/failure-facts.js";
import type { RunEnding, RunPublisher } from "../stream/run-publisher.js";
import type { InterruptReason } from "../stream/stream-event.js";
import { describeValue } from "../text/describe-value.js";
import { didYouMean } from "../text/nearest-names.js";
import { driveSchedule, type Ending } from "./drive-schedule.js";
import { NetworkResult, type NetworkStatus, type TaskOutcome } from "./network-result.js";
import type { NetworkSnapshot } from "./network-snapshot.js";
import type { NetworkTask } from "./network-task.js";
import { runTask, type TaskReport } from "./run-task.js";
import { Schedule, type TaskState } from "./schedule.js";
import { NO_DECISIONS } from "./task-decisions.js";
import type { TaskRunner } from "./task-runner.js";
import type { TaskResult, TaskSurroundings } from "./task-surroundings.js";

/** What a run is given. */
export interface NetworkRunPorts {
	readonly message: string;
	readonly context: Readonly<Record<string, unknown>>;
	readonly memory: Memory;
	readonly runner: TaskRunner | undefined;
	/** Ends it early. */
	readonly signal: AbortSignal | undefined;
	/** Hooks of this run alone. */
	readonly hooks: readonly RegisteredHook[];
	/** The network's run in the log, which has begun. */
	readonly run: RunPublisher;
}

/** Runs every task of a network, and the network's run in the log to its end. Rejects with what hooks around the whole fail with, and nothing else. */
export function runNetwork(network: NetworkSnapshot, ports: NetworkRunPorts): Promise<NetworkResult> {
	return new NetworkRun(network, ports).toEnd();
}

class NetworkRun {
	readonly #network: NetworkSnapshot;
	readonly #ports: NetworkRunPorts;
	readonly #schedule: Schedule;
	readonly #signal: AbortSignal | undefined;
	readonly #stop = new AbortController();
	readonly #hooks: HookChain | undefined;
	readonly #robotHooks: readonly Hook[];
	readonly #startedAt = performance.now();
	/** By task, once it has ended: {@link runTask} says what became of one that ran, `#noteUnrun` of the others. */
	readonly #outcomes: TaskOutcome[] = [];
	readonly #results: (RobotResult | undefined)[] = [];
	/** By optional task: which one activated it first. */
	readonly #activators = new Map<number, number>();
	#halted: { readonly value: unknown } | undefined;

	constructor(network: NetworkSnapshot, ports: NetworkRunPorts) {
		this.#network = network;
		this.#ports = ports;
		this.#schedule = new Schedule(network.plan);
		this.#signal = anySignal(ports.signal, ports.run.cut);
		this.#robotHooks = [...network.hooks, ...ports.hooks].map(({ hook }) => hook);
		this.#hooks = HookChain.of(
			{ network: network.hooks, run: ports.hooks },
			{ runId: ports.run.runId, signal: anySignal(this.#signal, this.#stop.signal), memory: ports.memory },
		);
	}

	async toEnd(): Promise<NetworkResult> {
		const { message, run } = this.#ports;
		const { record } = this.#network;
		run.publishFrozen("network.planned", record);
		try {
			const result = this.#hooks?.has("networkRun")
				? await this.#hooks.run("networkRun", { networkName: record.name, input: message }, ({ input }) => this.#runTasks(input))
				: await this.#runTasks(message);
			if (!(result instanceof NetworkResult)) throw wrong("A hook of networkRun must answer with a NetworkResult", result);
			run.end(this.#ending(result));
			return result;
		} catch (error) {
			run.end(failedEnding(error));
			throw error;
		}
	}

	/** @param message The network's message, as hooks may have set it. */
	async #runTasks(message: unknown): Promise<NetworkResult> {
		if (typeof message !== "string" || message.trim() === "")
			throw wrong("A hook of networkRun must set input to a message of text", message);
		// hears nothing: as long as somebody listens, the signal keeps its one listener, which in a chain would else be made and taken away for
		// each task. A sixth of the time of 100 tasks, one after the other, with a log
		const stopListening = onAbort(this.#stop.signal, () => {});
		await driveSchedule(this.#schedule, {
			concurrency: this.#network.record.concurrency,
			signal: this.#signal,
			execute: (task, onEnd) => this.#execute(task, message, onEnd),
			onUnrun: (tasks) => this.#noteUnrun(tasks),
			onStop: () => this.#stop.abort(this.#signal?.aborted ? this.#signal.reason : undefined),
		}).finally(stopListening);
		return this.#result();
	}

	#execute(place: number, message: string, onEnd: (ending: Ending) => void): void {
		const task = this.#taskAt(place);
		const activator = this.#activators.get(place);
		if (activator !== undefined) this.#ports.run.publish("network.activated", { task: task.name, by: this.#taskAt(activator).name });
		const surroundings: TaskSurroundings = {
			run: this.#ports.run.begin({ name: task.name, scope: "task" }),
			networkRunId: this.#ports.run.runId,
			network: this.#network.record,
			runner: this.#ports.runner,
			hooks: this.#hooks,
			robotHooks: this.#robotHooks,
			message,
			context: this.#ports.context,
			memory: this.#ports.memory,
			answers: this.#resultsOf(this.#network.plan.tasks[place]?.dependencies ?? NONE),
			activator: activator === undefined ? NONE : this.#resultsOf([activator]),
			stop: this.#stop.signal,
			interruptReason: this.#interruptReason,
			checkActivation: this.#checkActivation,
		};
		runTask(task, surroundings).then((report) => onEnd(this.#endingOf(place, report)));
	}

	#endingOf(place: number, { outcome, result, decisions }: TaskReport): Ending {
		this.#outcomes[place] = outcome;
		this.#results[place] = result;
		const { onFailure = this.#network.record.onFailure } = this.#taskAt(place).options;
		if (outcome.state === "failed") return { state: "failed", stops: onFailure === "fail-fast" };
		if (outcome.state !== "done") return { state: "cancelled" };
		if (decisions === NO_DECISIONS) return DECIDES_NOTHING;
		const { halted, activated } = decisions;
		const activate = [...activated].flatMap((name) => this.#network.places.get(name) ?? []).sort((one, other) => one - other);
		for (const optional of activate) if (!this.#activators.has(optional)) this.#activators.set(optional, place);
		if (halted !== undefined) this.#halted ??= "value" in halted ? { value: halted.value } : { value: result };
		return { state: "done", activate, halts: halted !== undefined };
	}

	#noteUnrun(places: readonly number[]): void {
		for (const place of places) {
			const state = this.#schedule.phaseOf(place) as TaskState;
			this.#outcomes[place] = Object.freeze({ state, durationMs: 0, attempts: 0 });
			this.#ports.run.publish("network.task", { task: this.#taskAt(place).name, state });
		}
	}

	readonly #checkActivation = (by: string, asked: string): void => {
		const { places, plan, record } = this.#network;
		const fail = (code: "unknown_task" | "not_optional" | "left_out", why: string): NetworkError =>
			new NetworkError(code, record.name, `"${by}" activates ${describeValue(asked)}, ${why}`);
		const place = places.get(asked);
		if (place === undefined) throw fail("unknown_task", `which is no task.${didYouMean(String(asked), places.keys())}`);
		if (!plan.tasks[place]?.isOptional) throw fail("not_optional", 'which starts by itself. Give it dependsOn: "optional".');
		const { activates } = this.#taskAt(places.get(by) as number).options;
		if (activates !== undefined && !activates.includes(asked))
			throw fail("unknown_task", "which its own activates does not name. Add it there.");
		if (this.#schedule.phaseOf(place) !== "skipped" || this.#schedule.stoppedBy !== undefined) return;
		throw fail(
			"left_out",
			"which was left out already, as nobody was left that could activate it: a task cannot activate what it waits for.",
		);
	};

	#result(): NetworkResult {
		const { record, tasks, plan } = this.#network;
		const names = tasks.map(({ name }) => name);
		const status = this.#status();
		return new NetworkResult({
			network: record.name,
			status,
			durationMs: performance.now() - this.#startedAt,
			value: status === "halted" ? this.#halted?.value : this.#lastResult(),
			results: this.#resultsOf([...tasks.keys()]),
			tasks: names.map((name, place) => [name, this.#outcomes[place] as TaskOutcome]),
			activated: names.filter((_, place) => plan.tasks[place]?.isOptional && this.#outcomes[place]?.state !== "skipped"),
		});
	}

	#status(): NetworkStatus {
		const { stoppedBy } = this.#schedule;
		if (stoppedBy === "halt") return "halted";
		if (stoppedBy === "abort") return "cancelled";
		return this.#outcomes.some(({ state }) => state === "failed") ? "failed" : "done";
	}

	/** Why its tasks, or all of it, were interrupted. */
	readonly #interruptReason = (): InterruptReason => (this.#schedule.stoppedBy === "abort" ? abortReason(this.#signal) : "parent_ended");

	#lastResult(): RobotResult | undefined {
		const { dependents } = this.#network.plan;
		return this.#results.findLast((result, place) => result !== undefined && dependents[place]?.length === 0);
	}

	#ending({ status, tasks }: NetworkResult): RunEnding {
		if (status === "cancelled") return { event: "run.interrupted", reason: this.#interruptReason(), stopReason: status };
		if (status !== "failed") return { event: "run.completed", stopReason: status };
		const [task, outcome] = Object.entries(tasks).find(([, { state }]) => state === "failed") ?? [];
		const { code, message } = failureFacts(outcome?.error);
		return {
			event: "run.failed",
			error: { code, message: `The task "${task}" failed: ${message}` },
			recoverable: false,
			stopReason: status,
		};
	}

	#resultsOf(places: readonly number[]): readonly TaskResult[] {
		if (places.length === 0) return NONE;
		const results: TaskResult[] = [];
		for (const place of places) {
			const result = this.#results[place];
			if (result !== undefined) results.push([this.#taskAt(place).name, result]);
		}
		return results;
	}

	#taskAt(place: number): NetworkTask {
		return this.#network.tasks[place] as NetworkTask;
	}
}

const NONE: readonly never[] = [];

const DECIDES_NOTHING: Ending = { state: "done", activate: [], halts: false };

const wrong = (what: string, got: unknown): ConfigurationError => new ConfigurationError(`${what}, got ${describeValue(got)}.`);
