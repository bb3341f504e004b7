import { Worker, type WorkerOptions } from "node:worker_threads";

/** A thread that runs a file of the fixtures with the source files as they are, unbuilt. */
export const startThread = (fixture: string, options: WorkerOptions = {}): Worker =>
	new Worker(new URL(`./fixtures/${fixture}`, import.meta.url), {
		execArgv: ["--import", new URL("./fixtures/ts-source.mjs", import.meta.url).href],
		...options,
	});
