import { killAtOnce } from "./end-tree.js";
import type { ProcessTree } from "./tree.js";

/** Signals that ask a process to stop, from a terminal or from another process. */
const STOPPING = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"] as const;

/**
 * The runs of this process, of all copies of this package in it: two that each listened for signals would each take the other for
 * somebody who decides whether the process goes on.
 */
interface ActiveRuns {
	readonly endings: Set<() => void>;
	/** Takes the listeners away; there while there are any. */
	ignoreHost?: (() => void) | undefined;
}

const KEY: unique symbol = Symbol.for("@robot-lab/core/active-runs/v1") as never;

function activeRuns(): ActiveRuns {
	const holder = globalThis as { [KEY]?: ActiveRuns };
	holder[KEY] ??= { endings: new Set() };
	return holder[KEY];
}

/**
 * Ends the tree when this process ends before it does, or is asked to by a signal. A child has a session of its own, so neither the
 * terminal nor the shell that stops this process would reach it. Gives the way to say that the run is over.
 *
 * Whether this process dies of a signal stays as it was without runs: others who listen for it decide, and find no listener of ours
 * when they look who else is there. Node tells signals to its main thread only: a run in a worker ends with the worker, not with a signal
 * of which the process dies.
 */
export function endWithHost(tree: ProcessTree): () => void {
	const { endings, ignoreHost } = activeRuns();
	const end = (): void => killAtOnce(tree);
	if (ignoreHost === undefined) heedHost();
	endings.add(end);
	return () => {
		if (endings.delete(end) && endings.size === 0) afterNews(ignoreHostWhenIdle);
	};
}

/** A signal that has come in and was not told yet would be lost with its last listener, so that one stays until it must have been told. */
function afterNews(work: () => void): void {
	setImmediate(() => setImmediate(work).unref()).unref();
}

function ignoreHostWhenIdle(): void {
	const runs = activeRuns();
	if (runs.endings.size === 0) runs.ignoreHost?.();
}

function heedHost(): void {
	process.on("exit", endAll);
	// In front of all others, for the sake of those who count the listeners when they are told.
	for (const signal of STOPPING) process.prependListener(signal, heedSignal);
	const runs = activeRuns();
	runs.ignoreHost = () => {
		process.removeListener("exit", endAll);
		for (const signal of STOPPING) process.removeListener(signal, heedSignal);
		runs.ignoreHost = undefined;
	};
}

function endAll(): void {
	const { endings } = activeRuns();
	for (const end of endings) end();
	endings.clear();
}

function heedSignal(signal: NodeJS.Signals): void {
	endAll();
	activeRuns().ignoreHost?.();
	if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
}
