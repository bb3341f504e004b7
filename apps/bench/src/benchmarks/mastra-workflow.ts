import { createStep, createWorkflow } from "@mastra/core/workflows";
import { z } from "zod";
import type { TaskGraph } from "./task-graphs.js";

/**
 * The graph as a workflow of Mastra's, which knows steps and layers: a layer starts when the one before has ended. Gives what runs it once.
 */
export function mastraWorkflow(graph: TaskGraph, task: () => Promise<unknown>): () => Promise<void> {
	const anything = z.any();
	const workflow = createWorkflow({ id: "bench", inputSchema: anything, outputSchema: anything });
	for (const layer of graph) {
		const [first, ...others] = layer.map(({ name: id }) =>
			createStep({ id, inputSchema: anything, outputSchema: anything, execute: task }),
		);
		if (first !== undefined && others.length === 0) workflow.then(first);
		else if (first !== undefined) workflow.parallel([first, ...others]);
	}
	workflow.commit();
	return async () => {
		const run = await workflow.createRun();
		const { status } = await run.start({ inputData: "go" });
		if (status !== "success") throw new Error(`Mastra's workflow ended with the status "${status}"`);
	};
}
