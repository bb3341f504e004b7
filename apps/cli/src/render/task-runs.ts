import type { StreamEvent } from "@robot-lab/core";

/** Which task of a network each run in its log belongs to: the task's own, and those beneath. */
export class TaskRuns {
	readonly #tasks = new Map<string, string>();
	#network: string | undefined;

	/** The task that an event belongs to; `undefined` for one of the network itself. To be given every event, in order. */
	taskOf({ event, data }: StreamEvent): string | undefined {
		const { runId, parentRunId, scope } = data;
		this.#network ??= runId;
		if (event === "run.started" && parentRunId !== undefined) {
			const task = parentRunId === this.#network && scope === "task" ? data.name : this.#tasks.get(parentRunId);
			if (task !== undefined) this.#tasks.set(runId, task);
		}
		return this.#tasks.get(runId);
	}
}
