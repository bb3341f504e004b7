import type { StreamEvent } from "@robot-lab/core";

/** Which tasks of a network were answered by their fallback, and what their robots had failed with. */
export class TaskFallbacks {
	/** By task: what was told last of its robot's failures. */
	readonly #failures = new Map<string, string>();
	readonly #answered = new Set<string>();

	/** To be given every event, in order. @param task That which it belongs to. */
	event(task: string, { event, data }: StreamEvent): void {
		if (event === "run.failed" && data.scope !== "task") this.#failures.set(task, data.error.message);
		if (event === "run.interrupted" && data.scope !== "task") this.#failures.set(task, `it was stopped (${data.reason})`);
		if (data.scope !== "task") return;
		if (event === "step.failed" && data.name === "attempt") this.#failures.set(task, data.error.message);
		if (event === "step.completed" && data.name === "fallback") this.#answered.add(task);
	}

	/** What its fallback stands in for; `undefined` where it has not answered. */
	insteadOf(task: string): string | undefined {
		return this.#answered.has(task) ? (this.#failures.get(task) ?? "its robot failed") : undefined;
	}
}
