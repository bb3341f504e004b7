import { Worker } from "node:worker_threads";
import { ConfigurationError } from "../errors/configuration-error.js";
import { describeValue } from "../text/describe-value.js";
import { TaskLink } from "./task-link.js";
import { runnerClosed } from "./task-refusals.js";
import type { ThreadPort } from "./thread-port.js";

export interface TaskLinksOptions {
	readonly worker: ThreadPort | URL | (() => Worker);
	readonly size: number;
}

/** The threads of a runner: one that it was given, or as many as it may start. */
export class TaskLinks {
	readonly #size: number;
	readonly #start: (() => Worker) | undefined;
	readonly #links = new Map<TaskLink, Worker | undefined>();
	#isClosed = false;

	constructor({ worker, size }: TaskLinksOptions) {
		this.#size = size;
		if (worker instanceof URL) this.#start = () => new Worker(worker);
		else if (typeof worker === "function") this.#start = worker;
		// one that was given stays, also when it is lost: there will be no other
		else this.#links.set(new TaskLink(worker), undefined);
	}

	/** The one for the next run: that with the least to do, or a new one where all have something to do and there may be more. */
	take(): TaskLink {
		if (this.#isClosed) throw runnerClosed();
		this.#letGo();
		const [least] = [...this.#links.keys()].sort((one, other) => one.load - other.load);
		const isFree = least !== undefined && (least.load === 0 || this.#links.size === this.#size);
		return isFree || this.#start === undefined ? (least as TaskLink) : this.#startOne(this.#start);
	}

	/** Leaves all of them, and ends those that were started here. */
	async close(): Promise<void> {
		this.#isClosed = true;
		const workers = [...this.#links.values()];
		for (const link of this.#links.keys()) link.close(runnerClosed());
		this.#links.clear();
		await Promise.all(workers.map((worker) => worker?.terminate()));
	}

	/** Another is started in the place of one that is lost. */
	#letGo(): void {
		for (const [link, worker] of this.#links) {
			if (!link.isEnded || worker === undefined) continue;
			this.#links.delete(link);
			// it may go on where only the port to it failed
			void worker.terminate();
		}
	}

	#startOne(start: () => Worker): TaskLink {
		const worker = start();
		if (typeof worker?.unref !== "function")
			throw new ConfigurationError(
				`The function that starts a worker for tasks must answer with a Worker, and answered with ${describeValue(worker)}.`,
			);
		// its runs tell what it fails with, and once they are over there is nobody whom it concerns
		worker.on("error", () => {});
		const link = new TaskLink(worker);
		this.#links.set(link, worker);
		// runs keep the process alive, and not that there is somebody who could do them
		worker.unref();
		return link;
	}
}
