import { endWithHost } from "./active-runs.js";
import type { BoundedRunOptions, BoundedRunResult } from "./bounded-run.js";
import { type Channels, closeChannels, closeChildEnds, openChannels } from "./channels.js";
import { closeGates } from "./gate.js";
import { type Marking, markingFor } from "./marking.js";
import { RunOutput } from "./run-output.js";
import { planRun, type RunPlan } from "./run-plan.js";
import { explainedFailure, foreseenFailure } from "./spawn-failure.js";
import { type StartedCommand, startCommand } from "./start-command.js";
import { supervise } from "./supervise.js";

/**
 * Runs a command within bounds: of time, of output, and of what it may leave behind.
 *
 * The command is an argument vector; no shell sees it. It gets a session and a process group of its own, output pipes that can be
 * opened again through `/dev/stdout` and `/dev/stderr`, and the variable `ROBOT_LAB_RUN_ID`. The promise settles when the command itself
 * has ended and its output is read; a background child that holds the pipe is waited for 50 ms of silence and 250 ms at most, never
 * longer. A deadline or an abort sends SIGTERM to the group, 250 ms later SIGKILL to everything that can be found of the run, and the
 * promise settles within half a second with what was written until then.
 *
 * What can be found: on Linux the group and session; whatever was seen descending from the command; whatever carries the run's
 * resource-limit mark (set by bash itself before its script begins, or through `prlimit`; inherited across `setsid`, an emptied environment and closed descriptors) or its variable, or
 * holds its pipe. A program that lowers its own limit of the resident set, empties its environment, closes its output and starts a
 * new session within the first moments of its life escapes; so does what another program, such as a service manager, starts on request.
 * Without `/proc`, as on macOS: the group, and whatever was seen descending from the command when `ps` was read; a process that left the
 * group and lost its parent before that escapes.
 *
 * When this process exits or gets SIGINT, SIGTERM, SIGHUP or SIGQUIT, its runs are killed first, whoever else listens for the signal; and
 * the signal then does what it would have done without them.
 *
 * Never rejects for what a command does or cannot do: see {@link BoundedRunResult.spawnError}.
 *
 * @throws ConfigurationError for an option that is no bound, e.g. a `timeoutMs` of 0.
 */
export async function runBounded(command: readonly string[], options: BoundedRunOptions = {}): Promise<BoundedRunResult> {
	const begunAt = performance.now();
	const plan = planRun(command, options);
	const result = plan.signal?.aborted ? { aborted: true } : await run(plan);
	return { ...NOTHING_RAN, ...result, durationMs: performance.now() - begunAt };
}

const NOTHING_RAN: BoundedRunResult = {
	output: "",
	errorOutput: "",
	exitCode: null,
	signal: null,
	timedOut: false,
	aborted: false,
	truncatedBytes: 0,
	durationMs: 0,
	survivorsKilled: 0,
};

async function run(plan: RunPlan): Promise<Partial<BoundedRunResult>> {
	const foreseen = foreseenFailure(plan);
	if (foreseen !== undefined) return { spawnError: foreseen };
	let channels: Channels;
	let marking: Marking | undefined;
	const opening = openChannels(plan);
	try {
		[channels, marking] = await Promise.all([opening, plan.endable && plan.enclosure === undefined ? markingFor(plan) : undefined]);
	} catch (error) {
		// What failed may be the marking, before or after the channels came.
		opening.then(closeChannels, () => {});
		return { spawnError: explainedFailure(error, plan) };
	}
	if (plan.signal?.aborted) {
		closeChannels(channels);
		return { aborted: true };
	}
	const started = await startCommand(plan, channels, marking);
	if ("code" in started) {
		closeChannels(channels);
		return { spawnError: started };
	}
	return watch(started, channels, plan);
}

async function watch(started: StartedCommand, channels: Channels, plan: RunPlan): Promise<Partial<BoundedRunResult>> {
	closeChildEnds(channels);
	const output = new RunOutput(plan, channels);
	const isOver = endWithHost(started.tree);
	try {
		plan.onSpawn?.(started.tree.leader.pid);
		const { stoppedBy, ...ending } = await supervise(started, output, plan);
		return { ...ending, ...output.finish(), timedOut: stoppedBy === "timeout", aborted: stoppedBy === "abort" };
	} finally {
		isOver();
		closeGates(started.child);
	}
}
