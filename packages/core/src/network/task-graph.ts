import { NetworkError } from "../errors/network-error.js";
import { describeValue } from "../text/describe-value.js";
import { didYouMean } from "../text/nearest-names.js";
import { cycleAmong } from "./cycle-among.js";
import { checkTaskName } from "./task-names.js";

/** A task to be put into the graph. */
export interface NewNode {
	readonly name: string;
	/** `"none"`: at once. `"optional"`: when another task activates it. Names of tasks and groups: when those have come to an end. */
	readonly dependsOn: "none" | "optional" | readonly string[];
}

/** A task in the graph, with groups replaced by their tasks. */
export interface Node {
	readonly name: string;
	readonly isOptional: boolean;
	/** Names of tasks, each once, in the order in which they were given. */
	readonly dependencies: readonly string[];
}

/** Of a long cycle the message shows so many tasks at its beginning and its end, and of many tasks so many names. */
const MAX_SHOWN = 20;

/** Which task waits for which. Pure: it knows names and nothing of robots. What it was given and could not take leaves it as it was. */
export class TaskGraph {
	readonly #network: string;
	readonly #nodes = new Map<string, Node>();
	readonly #groups = new Map<string, readonly string[]>();

	/** @param network Its name, for errors. */
	constructor(network: string) {
		this.#network = network;
	}

	/** In the order in which they were defined. */
	get nodes(): readonly Node[] {
		return [...this.#nodes.values()];
	}

	get groups(): ReadonlyMap<string, readonly string[]> {
		return this.#groups;
	}

	/**
	 * Adds tasks that may name each other in any order, all or none. Throws NetworkError for a name that is none or taken, a dependency nobody
	 * knows, and a cycle, which it names.
	 *
	 * @param group A group of all of them, which later tasks can name.
	 */
	add(tasks: readonly NewNode[], group?: { readonly name: string }): void {
		const added = new Map<string, NewNode>();
		if (group !== undefined) this.#checkNew("group", group.name, added);
		for (const task of tasks) {
			this.#checkNew("task", task.name, added);
			if (task.name === group?.name) throw this.#taken("task", task.name);
			added.set(task.name, task);
		}
		const nodes = tasks.map((task) => this.#node(task, added));
		const cycle = cycleAmong(new Map(nodes.map(({ name, dependencies }) => [name, dependencies])));
		if (cycle !== undefined) throw this.#cyclic(cycle);
		for (const node of nodes) this.#nodes.set(node.name, node);
		if (group !== undefined) this.#groups.set(group.name, Object.freeze([...added.keys()]));
	}

	#checkNew(what: "task" | "group", name: unknown, added: ReadonlyMap<string, NewNode>): void {
		checkTaskName(this.#network, what, name);
		if (this.#nodes.has(name) || this.#groups.has(name) || added.has(name)) throw this.#taken(what, name);
	}

	#node({ name, dependsOn }: NewNode, added: ReadonlyMap<string, NewNode>): Node {
		if (dependsOn === "none" || dependsOn === "optional") return { name, isOptional: dependsOn === "optional", dependencies: [] };
		const dependencies = new Set<string>();
		for (const dependency of dependsOn) {
			const members = this.#nodes.has(dependency) || added.has(dependency) ? [dependency] : this.#groups.get(dependency);
			if (members === undefined) throw this.#unknown(name, dependency, added);
			for (const member of members) dependencies.add(member);
		}
		return { name, isOptional: false, dependencies: Object.freeze([...dependencies]) };
	}

	/** Names the nearest of those that the task can depend on, and so not itself. */
	#unknown(name: string, asked: unknown, added: ReadonlyMap<string, NewNode>): NetworkError {
		const known = [...this.#nodes.keys(), ...this.#groups.keys(), ...added.keys()].filter((other) => other !== name);
		const hint = typeof asked === "string" ? didYouMean(asked, known) : "";
		const list =
			known.length === 0
				? "There is none yet."
				: `There ${known.length === 1 ? "is" : "are"} ${known.slice(0, MAX_SHOWN).join(", ")}${known.length > MAX_SHOWN ? ", …" : ""}.`;
		const flaw = `"${name}" depends on ${describeValue(asked)}, which is no task.`;
		return new NetworkError("unknown_task", this.#network, `${flaw}${hint} ${list}`);
	}

	#taken(what: "task" | "group", name: string): NetworkError {
		return new NetworkError("duplicate_name", this.#network, `a ${what} cannot be named "${name}": that name is taken. Take another one.`);
	}

	#cyclic(cycle: readonly string[]): NetworkError {
		const names = cycle.map((name) => `"${name}"`);
		const shown = names.length <= MAX_SHOWN ? names : [...names.slice(0, MAX_SHOWN / 2), "…", ...names.slice(-MAX_SHOWN / 2)];
		const path = shown.join(" waits for ");
		return new NetworkError("cycle", this.#network, `${path}: none of them could ever start. Take one of these dependencies away.`, cycle);
	}
}
