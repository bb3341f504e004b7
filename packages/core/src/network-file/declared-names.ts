import type { NetworkError } from "../errors/network-error.js";
import { cycleAmong } from "../network/cycle-among.js";
import { checkTaskName } from "../network/task-names.js";
import { describeValue } from "../text/describe-value.js";
import { DeclaredCounts } from "./declared-limits.js";
import { type DeclaredMap, namesText } from "./declared-map.js";
import { type DeclaredBatch, type DeclaredTask, textsOf } from "./declared-tasks.js";

/** Of a cycle: what is shown of its beginning and its end. */
const MOST_SHOWN = 10;

/** Throws NetworkError or ConfigurationError, each with its place in the file, where tasks name what is not there, wait for each other, or cannot be called so. */
export function checkDeclaredNames(network: string, batches: readonly DeclaredBatch[]): void {
	new DeclaredNames(network, batches).check();
}

class DeclaredNames {
	readonly #network: string;
	readonly #batches: readonly DeclaredBatch[];
	readonly #tasks = new Map<string, DeclaredTask>();
	/** By group: its tasks. */
	readonly #groups = new Map<string, readonly string[]>();
	/** By task or group: the place of its batch. */
	readonly #batchOf = new Map<string, number>();
	/** By task: the tasks that it waits for. */
	readonly #waitsFor = new Map<string, readonly string[]>();
	/** By optional task: who can activate it. */
	readonly #activators = new Map<string, Set<string>>();
	readonly #counts = new DeclaredCounts();

	constructor(network: string, batches: readonly DeclaredBatch[]) {
		this.#network = network;
		this.#batches = batches;
	}

	check(): void {
		this.#takeNames();
		for (const batch of this.#batches) this.#takeDependencies(batch);
		this.#checkCycles();
		for (const [place, batch] of this.#batches.entries()) this.#checkOrder(place, batch);
		for (const task of this.#tasks.values()) this.#checkRules(task);
		for (const task of this.#tasks.values()) this.#checkTexts(task);
	}

	#takeNames(): void {
		for (const [place, { group, tasks }] of this.#batches.entries()) {
			if (group !== undefined) this.#takeName("group", group.name, group.map, place);
			for (const task of tasks) {
				this.#counts.add("tasks", 1, task.map);
				this.#takeName("task", task.name, task.map, place);
				this.#tasks.set(task.name, task);
			}
			if (group === undefined) continue;
			if (tasks.length === 0)
				throw group.map.networkError("no_tasks", this.#network, "tasks", "has none. Add one: its name, and below it robot: …");
			this.#groups.set(
				group.name,
				tasks.map(({ name }) => name),
			);
		}
	}

	#takeName(what: "task" | "group", name: string, map: DeclaredMap, place: number): void {
		map.within(undefined, () => checkTaskName(this.#network, what, name));
		if (this.#batchOf.has(name))
			throw map.networkError("duplicate_name", this.#network, undefined, "has a name that is taken. Take another one.");
		this.#batchOf.set(name, place);
	}

	#takeDependencies({ group, tasks }: DeclaredBatch): void {
		const ofGroup = group === undefined || group.dependsOn === "none" ? [] : this.#members(group.map, group.dependsOn);
		for (const { name, map, dependsOn } of tasks) {
			if (dependsOn === "optional") this.#waitsFor.set(name, []);
			else this.#waitsFor.set(name, [...new Set([...ofGroup, ...(dependsOn === "none" ? [] : this.#members(map, dependsOn))])]);
			const key = map.has("depends_on") ? "depends_on" : undefined;
			this.#counts.add("dependencies", this.#waitsFor.get(name)?.length ?? 0, map, key);
		}
	}

	#members(map: DeclaredMap, names: readonly string[]): readonly string[] {
		return [...new Set(names)].flatMap((name) => {
			if (this.#tasks.has(name)) return [name];
			const members = this.#groups.get(name);
			if (members === undefined) throw this.#unknown(map, "depends_on", name, [...this.#batchOf.keys()]);
			return members;
		});
	}

	#checkCycles(): void {
		const cycle = cycleAmong(this.#waitsFor);
		if (cycle === undefined) return;
		const names = cycle.length <= MOST_SHOWN ? cycle : [...cycle.slice(0, MOST_SHOWN / 2), "…", ...cycle.slice(-MOST_SHOWN / 2)];
		const path = names.map(describeValue).join(" waits for ");
		const why = `cannot be: ${path}, and none of them could ever start. Take one of these dependencies away.`;
		const { map } = this.#tasks.get(cycle[0] ?? "") as DeclaredTask;
		throw map.networkError("cycle", this.#network, map.has("depends_on") ? "depends_on" : undefined, why, cycle);
	}

	/** A group is begun as one: what it waits for stands above it, and who waits for it below. */
	#checkOrder(place: number, { group, tasks }: DeclaredBatch): void {
		const lists = [...(group === undefined ? [] : [group]), ...tasks];
		for (const { map, dependsOn } of lists) {
			const late = typeof dependsOn === "string" ? undefined : dependsOn.find((name) => (this.#batchOf.get(name) ?? 0) > place);
			if (late === undefined) continue;
			const why = "which stands further down, and a group is in between";
			throw map.error("depends_on", `names ${describeValue(late)}, ${why}`, "Move what is waited for up.");
		}
	}

	#checkRules({ name, rules }: DeclaredTask): void {
		if (rules.every(({ activate }) => activate.length === 0)) return;
		const waited = this.#waitedForBy(name);
		for (const { map, activate } of rules) {
			this.#counts.add("activations", activate.length, map, "activate");
			for (const asked of activate) {
				const task = this.#tasks.get(asked);
				if (task === undefined) throw this.#unknown(map, "activate", asked, this.#optional());
				const refuse = (code: "not_optional" | "left_out", why: string): NetworkError =>
					map.networkError(code, this.#network, "activate", `names ${describeValue(asked)}, which ${why}`);
				if (task.dependsOn !== "optional") throw refuse("not_optional", "starts by itself. Give that one depends_on: optional.");
				if (waited.has(asked)) throw refuse("left_out", `"${name}" waits for itself: it would be left out before.`);
				const activators = this.#activators.get(asked);
				if (activators === undefined) this.#activators.set(asked, new Set([name]));
				else activators.add(name);
			}
		}
	}

	#optional(): readonly string[] {
		return [...this.#tasks.values()].flatMap(({ name, dependsOn }) => (dependsOn === "optional" ? [name] : []));
	}

	/** Itself, and all that comes to an end before it starts. */
	#waitedForBy(task: string): ReadonlySet<string> {
		const waited = new Set([task]);
		for (const one of waited) for (const dependency of this.#waitsFor.get(one) ?? []) waited.add(dependency);
		return waited;
	}

	#checkTexts(task: DeclaredTask): void {
		const { name, map, context } = task;
		const known = new Set([...(this.#waitsFor.get(name) ?? []), ...(this.#activators.get(name) ?? [])]);
		const check = (where: DeclaredMap, key: string, results: Iterable<string>): void => {
			for (const asked of results) {
				if (known.has(asked)) continue;
				const flaw = `has {{results.${asked}}}, and "${name}" does not depend on such a task`;
				throw where.error(key, flaw, namesText(asked, [...known]));
			}
		};
		for (const { map: where, key, text } of textsOf(task)) check(where, key, text.results);
		for (const { results } of context?.texts ?? []) check(map, "context", results);
	}

	#unknown(map: DeclaredMap, key: string, asked: string, known: readonly string[]): NetworkError {
		return map.networkError(
			"unknown_task",
			this.#network,
			key,
			`names ${describeValue(asked)}, which is no task. ${namesText(asked, known)}`,
		);
	}
}
