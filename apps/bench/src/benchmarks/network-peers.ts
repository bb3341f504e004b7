import type { RobotResult } from "@robot-lab/core";
import { PGraph } from "p-graph";
import type { Benchmark } from "../benchmark.js";
import { DONE, ownNetwork } from "./own-network.js";
import { counters, times } from "./repeated-runs.js";
import { chain, fanOut, layered, type TaskGraph } from "./task-graphs.js";

const BASELINE = "a promise for each task";

/** What running a graph of tasks that do nothing costs here and elsewhere. */
export const networkPeers: readonly Benchmark[] = [
	peers("network-chain100-peers", "100 tasks, one after the other", { graph: chain(100), runs: 10, rounds: 150 }),
	peers("network-fanout100-peers", "100 tasks side by side", { graph: fanOut(100), runs: 10, rounds: 150 }),
	peers("network-layered1000-peers", "1,000 tasks in 10 layers, each dependent on 3 of the layer before", {
		graph: layered(10, 100, 3),
		runs: 1,
		rounds: 30,
	}),
];

interface Graph {
	readonly graph: TaskGraph;
	/** Runs in a sample. */
	readonly runs: number;
	readonly rounds: number;
}

function peers(name: string, question: string, { graph, runs, rounds }: Graph): Benchmark {
	const what = `${question}, that do nothing; beside p-graph and Mastra`;
	return { name, question: what, rounds, baseline: BASELINE, clock: "cpu", prepare: async () => ({ cases: await casesOf(graph, runs) }) };
}

async function casesOf(graph: TaskGraph, runs: number): Promise<Record<string, () => Promise<void>>> {
	// a second of work, which the other benchmarks can do without
	const { mastraWorkflow } = await import("./mastra-workflow.js");
	const { listeners, heard } = counters(1);
	const [count = () => {}] = listeners;
	const task = async (): Promise<RobotResult> => {
		count();
		return DONE;
	};
	const ways: Record<string, () => Promise<unknown>> = {
		[BASELINE]: () => promises(graph, task),
		"p-graph": pGraph(graph, task),
		"network.run()": ownNetwork(graph, task),
		"network.run(), with a log that is listened to": ownNetwork(graph, task, "log"),
		"Mastra, a workflow": mastraWorkflow(graph, task),
	};
	const expected = runs * graph.flat().length;
	return Object.fromEntries(
		Object.entries(ways).map(([way, run]) => [
			way,
			async () => {
				await times(runs, run);
				const ran = heard();
				// whoever runs nothing is fast, and worth nothing
				if (ran !== expected) throw new Error(`${way} ran ${ran} tasks instead of ${expected}`);
			},
		]),
	);
}

/** The least there can be: a promise for each task, which awaits those of its dependencies. */
async function promises(graph: TaskGraph, task: () => Promise<unknown>): Promise<void> {
	const begun = new Map<string, Promise<unknown>>();
	for (const { name, dependencies } of graph.flat()) {
		const awaited = dependencies.map((dependency) => begun.get(dependency));
		begun.set(name, awaited.length === 0 ? task() : Promise.all(awaited).then(task));
	}
	await Promise.all(begun.values());
}

function pGraph(graph: TaskGraph, task: () => Promise<unknown>): () => Promise<void> {
	const tasks = graph.flat();
	const nodes = new Map(tasks.map(({ name }) => [name, { run: task }]));
	const edges = tasks.flatMap(({ name, dependencies }) => dependencies.map((dependency): [string, string] => [dependency, name]));
	const made = new PGraph(nodes, edges);
	return () => made.run();
}
