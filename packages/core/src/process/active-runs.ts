import { killAtOnce } from "./end-tree.js";
import type { ProcessTree } from "./tree.js";

const DEADLY = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

const active = new Set<ProcessTree>();

/**
 * Ends the tree when this process ends before it does. A child has a session of its own, so neither the terminal nor the shell that
 * stops this process would reach it.
 */
export function endWithHost(tree: ProcessTree): void {
	if (active.size === 0) listen();
	active.add(tree);
}

/** The run is over. */
export function forget(tree: ProcessTree): void {
	if (active.delete(tree) && active.size === 0) stopListening();
}

function listen(): void {
	process.on("exit", killActive);
	for (const signal of DEADLY) process.on(signal, die);
}

function stopListening(): void {
	process.removeListener("exit", killActive);
	for (const signal of DEADLY) process.removeListener(signal, die);
}

function killActive(): void {
	for (const tree of active) killAtOnce(tree);
	active.clear();
}

/** Does what the signal would have done without us, after the runs are ended. Where others listen too, dying is theirs to decide. */
function die(signal: NodeJS.Signals): void {
	if (process.listenerCount(signal) > 1) return;
	killActive();
	stopListening();
	process.kill(process.pid, signal);
}
