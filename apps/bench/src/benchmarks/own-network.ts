import { EventLog, Network, RobotResult } from "@robot-lab/core";
import type { TaskGraph } from "./task-graphs.js";

/** What a task comes to that does nothing. */
export const DONE: RobotResult = new RobotResult({
	id: "result",
	robotName: "bench",
	output: [{ type: "text", role: "assistant", content: "Done." }],
	toolCalls: [],
	stopReason: "stop",
	createdAt: new Date(),
	durationMs: 0,
});

/**
 * The graph as a network of ours. Gives what runs it once.
 *
 * @param follow `"log"`: each run has a log, and somebody who listens to it.
 */
export function ownNetwork(graph: TaskGraph, task: () => Promise<RobotResult>, follow?: "log"): () => Promise<void> {
	const tasks = graph.flat();
	const network = new Network<string>({ name: "bench" });
	for (const { name, dependencies } of tasks) network.task(name, { name: "bench", run: task }, { dependsOn: dependencies });
	return async () => {
		const log = follow && new EventLog();
		let events = 0;
		log?.subscribe(() => {
			events += 1;
		});
		const { status } = await network.run({ message: "go", ...(log && { log }) });
		if (status !== "done") throw new Error(`The network ended with the status "${status}"`);
		if (log && events < 2 * tasks.length) throw new Error(`The log of ${tasks.length} tasks had ${events} events`);
	};
}
