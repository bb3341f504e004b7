import { EnclosureSweep } from "./enclosure-sweep.js";
import { hasProcFiles } from "./proc-files.js";
import { ProcSweep } from "./proc-sweep.js";
import { PsSweep } from "./ps-sweep.js";
import { signalGroup } from "./signal-group.js";
import type { ProcessTree, Sweep } from "./tree.js";

/** The way of sweeping that this system allows. */
export function sweepFor(tree: ProcessTree): Sweep {
	if (tree.enclosure !== undefined) return new EnclosureSweep(tree, tree.enclosure);
	return hasProcFiles ? new ProcSweep(tree) : new PsSweep(tree);
}

/** Asks everything within reach to end: what runs inside an enclosure, or the leader's group. */
export function askToEnd(tree: ProcessTree): void {
	if (tree.enclosure === undefined) signalGroup(tree, "SIGTERM");
	else tree.enclosure.terminate();
}

/** Kills what can be found now, without waiting: for a process that is about to end itself. */
export function killAtOnce(tree: ProcessTree): void {
	sweepFor(tree).killFound();
	signalGroup(tree, "SIGKILL");
}
