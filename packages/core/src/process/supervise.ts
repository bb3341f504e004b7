import type { ChildProcess } from "node:child_process";
import { setTimeout as delay, setImmediate as immediate } from "node:timers/promises";
import { askToEnd, sweepFor } from "./end-tree.js";
import type { PipeReaders } from "./pipe-readers.js";
import type { RunPlan } from "./run-plan.js";
import type { StartedCommand } from "./start-command.js";
import { type StopReason, StopRequest } from "./stop-request.js";
import type { ProcessTree, Sweep } from "./tree.js";

const TERM_GRACE_MS = 250;
// Leaves the caller 50 ms of the half second that a run may outlast its deadline.
const STOP_BOUND_MS = 450;
const SILENCE_MS = 50;
const LONGEST_GRACE_MS = 250;
const SWEEP_BOUND_MS = 2000;
const OBSERVE_MS = 100;
const DRAIN_MS = 100;

/** How a command came to its end. */
export interface Ending {
	readonly exitCode: number | null;
	readonly signal: NodeJS.Signals | null;
	readonly stoppedBy: StopReason | undefined;
	readonly survivorsKilled: number;
}

interface Exit {
	readonly exitCode: number | null;
	readonly signal: NodeJS.Signals | null;
}

/** Waits for the command's end, or brings it about; either way the output is read as far as it ever will be. */
export async function supervise({ child, tree }: StartedCommand, output: PipeReaders, plan: RunPlan): Promise<Ending> {
	const exit = exitOf(child);
	const stop = new StopRequest(plan.signal, plan.deadline);
	const sweep = sweepFor(tree);
	if (plan.endable) sweep.begin();
	try {
		const first = await Promise.race([exit, stop.made]);
		if (typeof first === "string") return await end(tree, sweep, exit, output, first);
		if (!output.readNow() && tree.enclosure === undefined) await silence(output);
		if (plan.killSurvivors) await killSurvivors(sweep, output);
		else sweep.cease();
		return { ...first, stoppedBy: undefined, survivorsKilled: sweep.killed };
	} finally {
		stop.dispose();
	}
}

function exitOf(child: ChildProcess): Promise<Exit> {
	return new Promise((resolve) => child.once("exit", (exitCode, signal) => resolve({ exitCode, signal })));
}

async function end(tree: ProcessTree, sweep: Sweep, exit: Promise<Exit>, output: PipeReaders, stoppedBy: StopReason): Promise<Ending> {
	const begunAt = performance.now();
	const bound = begunAt + STOP_BOUND_MS;
	await within(OBSERVE_MS, sweep.observe());
	askToEnd(tree);
	await within(begunAt + TERM_GRACE_MS - performance.now(), Promise.all([exit, output.ended]));
	// What is not dead by the bound is hunted on, but not waited for.
	const swept = sweep.end(performance.now() + SWEEP_BOUND_MS);
	await within(bound - performance.now(), Promise.all([exit, swept]));
	await within(Math.min(DRAIN_MS, bound - performance.now()), output.ended);
	output.readNow();
	// Known by now, mostly, though others of the tree may still be dying.
	const exited = await within(0, exit);
	return { exitCode: exited?.exitCode ?? null, signal: exited?.signal ?? null, stoppedBy, survivorsKilled: sweep.killed };
}

async function killSurvivors(sweep: Sweep, output: PipeReaders): Promise<void> {
	await sweep.end(performance.now() + SWEEP_BOUND_MS);
	if (!output.readNow()) await within(DRAIN_MS, output.ended);
	output.readNow();
}

/** Gives whoever still holds the pipe, such as a `tee` behind the command, a moment to write what it has. */
async function silence(output: PipeReaders): Promise<void> {
	const begunAt = performance.now();
	for (;;) {
		const left = Math.min(SILENCE_MS - output.silenceMs(begunAt), begunAt + LONGEST_GRACE_MS - performance.now());
		if (left <= 0) break;
		await within(left, output.ended);
		if (output.hasEnded) return;
	}
	output.readNow();
}

/** The promise's value, or `undefined` when it takes longer. */
export async function within<T>(milliseconds: number, promise: Promise<T>): Promise<T | undefined> {
	const timer = new AbortController();
	try {
		return await Promise.race([promise, expiry(milliseconds, timer.signal)]);
	} finally {
		timer.abort();
	}
}

async function expiry(milliseconds: number, signal: AbortSignal): Promise<undefined> {
	await delay(Math.max(0, milliseconds), undefined, { signal });
	// A timer that is late because this thread was busy fires before the news that lay waiting meanwhile: let them in first.
	await immediate();
}
