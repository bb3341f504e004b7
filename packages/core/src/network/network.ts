import { ConfigurationError } from "../errors/configuration-error.js";
import { NetworkError } from "../errors/network-error.js";
import { checkHooks } from "../hook/check-hooks.js";
import type { Memory } from "../memory/memory.js";
import { checkNames } from "../options/check-options.js";
import { anySignal } from "../process/any-signal.js";
import type { Delegate } from "../robot/delegation-future.js";
import { EventLog } from "../stream/event-log.js";
import { RunInside } from "../stream/open-run.js";
import { RunPublisher } from "../stream/run-publisher.js";
import type { Subscription } from "../stream/subscription.js";
import { describeValue, isRecord } from "../text/describe-value.js";
import { frozenCopy } from "../value/frozen-copy.js";
import { type BroadcastMessage, Broadcasts } from "./broadcasts.js";
import { NetworkDrawing } from "./network-drawing.js";
import {
	checkNetworkRun,
	type NetworkOptions,
	type NetworkRunOptions,
	networkOptions,
	type ResolvedNetworkOptions,
} from "./network-options.js";
import type { NetworkRecord } from "./network-record.js";
import type { NetworkResult } from "./network-result.js";
import { runNetwork } from "./network-run.js";
import { type NetworkSnapshot, networkSnapshot } from "./network-snapshot.js";
import { checkGroupStart, type NetworkTask, networkTask } from "./network-task.js";
import { TaskGraph } from "./task-graph.js";
import { type GivenTask, TaskGroup } from "./task-group.js";
import type { DependsOn, TaskDefinition, TaskOptions } from "./task-options.js";
import type { TaskTable } from "./task-table.js";

/** Any network, whatever its tasks and groups: what a function takes that takes each of them. */
export type AnyNetwork = Network<string, string>;

/**
 * Tasks of robots, each started at the moment at which what it depends on has ended. What is defined while the network runs is for its next run.
 *
 * Runs of one network may overlap. They share its robots and its memory, unless a run is given a memory of its own.
 *
 * @typeParam Tasks The names of its tasks, as far as the compiler knows them. `new Network<string>(…)`: known at run time only. Default: none, so
 * that each `task()` adds its own; what takes any network takes {@link AnyNetwork}.
 * @typeParam Groups The names of its groups.
 */
export class Network<Tasks extends string = never, Groups extends string = never> {
	/** What its robots know together, from run to run. Changes made through it are those of the network. */
	readonly memory: Memory;
	readonly #options: ResolvedNetworkOptions;
	readonly #graph: TaskGraph;
	readonly #tasks: NetworkTask[] = [];
	readonly #broadcasts = new Broadcasts();
	#snapshot: NetworkSnapshot | undefined;

	/** Throws ConfigurationError for options that are none. */
	constructor(options: NetworkOptions) {
		this.#options = networkOptions(options);
		this.memory = this.#options.memory.as(this.name);
		this.#graph = new TaskGraph(this.name);
	}

	get name(): string {
		return this.#options.name;
	}

	// Defining it

	/**
	 * Adds a task, which may depend on those there are. Throws NetworkError for a name that is none or taken and for a dependency that is no task,
	 * and ConfigurationError for options that are none. The network is as it was then.
	 *
	 * @param robot A robot, or what runs like one: `{ name, run(message, options) }`. Several tasks may have the same.
	 * @returns The network, whose type knows the task.
	 */
	task<Name extends string>(name: Name, robot: Delegate, options: TaskOptions<Tasks, Groups> = {}): Network<Tasks | Name, Groups> {
		this.#define([[name, robot, options as TaskOptions<string, string>]]);
		return this as unknown as Network<Tasks | Name, Groups>;
	}

	/**
	 * Adds tasks that may name each other in any order, all or none: the compiler knows which can be activated, those of the table with
	 * `dependsOn: "optional"` and all that were there before. Throws as {@link task} does, and NetworkError for tasks that wait for each other.
	 */
	tasks<Starts extends Readonly<Record<string, unknown>>>(
		definitions: TaskTable<Tasks, Groups, Starts>,
	): Network<Tasks | (keyof Starts & string), Groups> {
		if (!isRecord(definitions)) throw new ConfigurationError(`network.tasks() takes a record of tasks, got ${describeValue(definitions)}.`);
		const given = Object.entries<TaskDefinition<string, string>>(definitions).map(([name, definition]): GivenTask => {
			if (!isRecord(definition)) throw new ConfigurationError(`The task "${name}" needs a definition, got ${describeValue(definition)}.`);
			const { robot, ...options } = definition;
			return [name, robot, options];
		});
		this.#define(given);
		return this as unknown as Network<Tasks | (keyof Starts & string), Groups>;
	}

	/**
	 * Adds tasks that depend on the same, as a group: whoever names the group depends on all of them. Throws as {@link tasks} does.
	 *
	 * @param build Adds the tasks: `(group) => group.task("a", a).task("b", b)`.
	 */
	parallel<Group extends string, Members extends string>(
		name: Group,
		options: { readonly dependsOn?: "none" | readonly (Tasks | Groups)[] | undefined },
		build: (group: TaskGroup<Tasks, Groups>) => TaskGroup<Tasks, Groups, Members>,
	): Network<Tasks | Members, Groups | Group> {
		checkNames(`The group ${describeValue(name)}`, options, ["dependsOn"]);
		const { dependsOn = "none" } = options;
		checkGroupStart(name, dependsOn);
		const given: GivenTask[] = [];
		build(new TaskGroup((task) => given.push(task)));
		if (given.length === 0)
			throw new NetworkError("no_tasks", this.name, `the group ${describeValue(name)} has no task. Add one: group.task(…).`);
		this.#define(given, { name, dependsOn });
		return this as unknown as Network<Tasks | Members, Groups | Group>;
	}

	// Running it

	/**
	 * Runs its tasks. Resolves when all have ended: what tasks fail with stands in the result. Rejects with NetworkError where there are none, with
	 * ConfigurationError for options that are none, and with what a hook around the whole fails with.
	 */
	async run(options: NetworkRunOptions): Promise<NetworkResult<Tasks>> {
		checkNetworkRun(options);
		const { message, context = {}, memory = this.memory, runner = this.#options.runner, signal, parent, log } = options;
		const hooks = options.hooks === undefined ? [] : checkHooks("network.run(), hooks", options.hooks);
		if (this.#tasks.length === 0)
			throw new NetworkError("no_tasks", this.name, "it has no task to run. Add one: network.task(name, robot).");
		const snapshot = this.#snapshotNow();
		const begun = { name: this.name, input: message, scope: "network" };
		const run =
			parent === undefined ? RunPublisher.root(log ?? new EventLog({ history: 0 }), begun) : RunInside.beginBeneath(parent, begun);
		const stopTelling = this.#broadcasts.tellRun(run);
		try {
			const result = await runNetwork(snapshot, {
				message,
				context,
				memory,
				runner,
				signal: anySignal(signal, parent?.signal),
				hooks,
				run,
			});
			return result as NetworkResult<Tasks>;
		} finally {
			stopTelling();
		}
	}

	/**
	 * Tells everybody who listens, the logs of the runs that go on, and who waits in the network's memory for `_network_broadcast`, which holds
	 * `{ payload, timestamp }`. Throws ConfigurationError for a payload that is no plain data.
	 */
	broadcast(payload: unknown): void {
		const timestamp = Date.now();
		this.memory.set("_network_broadcast", { payload, timestamp });
		this.#broadcasts.tell(Object.freeze({ network: this.name, payload: frozenCopy(payload), timestamp }));
	}

	/** Calls the handler with every broadcast from now on, at once. What it throws, or rejects with, changes nothing. */
	onBroadcast(handler: (message: BroadcastMessage) => unknown): Subscription {
		return this.#broadcasts.add(handler);
	}

	// Drawing it: each as it is, or with what became of its tasks in a run

	/** A list of the tasks with what they wait for, for a terminal. */
	visualize(result?: NetworkResult<Tasks>): string {
		return this.#drawing(result).visualize();
	}

	/** A flow chart for https://mermaid.js.org. */
	toMermaid(result?: NetworkResult<Tasks>): string {
		return this.#drawing(result).toMermaid();
	}

	/** A graph for Graphviz. */
	toDot(result?: NetworkResult<Tasks>): string {
		return this.#drawing(result).toDot();
	}

	/** Which tasks can run side by side, as text. */
	executionPlan(result?: NetworkResult<Tasks>): string {
		return this.#drawing(result).executionPlan();
	}

	/** What it is made of, ready for `JSON.stringify`. */
	toJSON(): NetworkRecord {
		return this.#snapshotNow().record;
	}

	#define(given: readonly GivenTask[], group?: { readonly name: string; readonly dependsOn: DependsOn }): void {
		const tasks = given.map(([name, robot, options]) => networkTask(name, robot, options));
		const nodes = tasks.map(({ name, options: { dependsOn = "none" } }) => ({ name, dependsOn: withOthers(dependsOn, group?.dependsOn) }));
		this.#graph.add(nodes, group);
		this.#tasks.push(...tasks);
		this.#snapshot = undefined;
	}

	#snapshotNow(): NetworkSnapshot {
		this.#snapshot ??= networkSnapshot(this.#options, this.#graph, [...this.#tasks]);
		return this.#snapshot;
	}

	#drawing(result: NetworkResult<Tasks> | undefined): NetworkDrawing {
		return new NetworkDrawing(this.toJSON(), result?.tasks);
	}
}

/** What a task of a group depends on. */
function withOthers(own: DependsOn, others: DependsOn = "none"): DependsOn {
	if (own === "optional" || others === "none") return own;
	return own === "none" ? others : [...others, ...own];
}
