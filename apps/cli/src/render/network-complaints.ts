import type { StreamEvent } from "@robot-lab/core";
import { printableLine } from "./printable.js";
import { runComplaint } from "./run-complaint.js";
import type { Style } from "./style.js";
import { TaskRuns } from "./task-runs.js";

const LONGEST_NAME = 100;

/** What the runs of a network's robots put on standard error, with the task that it is about; a warning once for each task. */
export class NetworkComplaints {
	readonly #runs = new TaskRuns();
	/** By run: the robot and its model. */
	readonly #robots = new Map<string, string>();
	readonly #warned = new Set<string>();

	/** To be given every event, in order. */
	complaint(event: StreamEvent, style: Style): string {
		const task = this.#runs.taskOf(event);
		const { data } = event;
		if (event.event === "run.started" && data.scope !== "task") {
			const model = event.data.model === undefined ? "" : ` with ${printableLine(event.data.model, LONGEST_NAME)}`;
			this.#robots.set(data.runId, `${printableLine(event.data.name, LONGEST_NAME)}${model}`);
		}
		const text = runComplaint(event, style, task === undefined ? "" : `${this.#whose(task, data.runId)}: `);
		if (event.event !== "metadata.updated") return text;
		if (this.#warned.has(text)) return "";
		this.#warned.add(text);
		return text;
	}

	/** `"facts (robot checker with openai/x)"` */
	#whose(task: string, runId: string): string {
		const robot = this.#robots.get(runId);
		return `${printableLine(task, LONGEST_NAME)}${robot === undefined ? "" : ` (robot ${robot})`}`;
	}
}
