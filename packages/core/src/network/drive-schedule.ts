import { deferred } from "../process/deferred.js";
import { onAbort } from "../process/on-abort.js";
import type { Decisions, Schedule } from "./schedule.js";

/** How a task that ran has ended. */
export type Ending =
	| ({ readonly state: "done" } & Decisions)
	| { readonly state: "failed" /** Whether the others stop for that. */; readonly stops: boolean }
	| { readonly state: "cancelled" };

export interface DrivePorts {
	/** The most tasks that run at once. */
	readonly concurrency: number;
	/** Ends the run: nothing starts any more. */
	readonly signal: AbortSignal | undefined;
	/** Runs a task to its end, and says then how it ended. Must not throw. */
	readonly execute: (task: number, onEnd: (ending: Ending) => void) => void;
	/** Called with tasks that have ended without having run. Must not throw. */
	readonly onUnrun: (tasks: readonly number[]) => void;
	/** Called once when the others are to stop, for whatever reason. Must not throw. */
	readonly onStop: () => void;
}

/** Runs what a schedule says may run, each task at the moment at which it may, until all have ended. */
export function driveSchedule(schedule: Schedule, ports: DrivePorts): Promise<void> {
	const { concurrency, signal, execute, onUnrun, onStop } = ports;
	const { promise, resolve } = deferred<void>();
	let running = 0;
	let isStopped = false;
	const note = (unrun: readonly number[]): void => {
		if (unrun.length > 0) onUnrun(unrun);
		if (schedule.stoppedBy !== undefined && !isStopped) {
			isStopped = true;
			onStop();
		}
		startMore();
		if (schedule.isOver) end();
	};
	const startMore = (): void => {
		while (running < concurrency) {
			const task = schedule.take();
			if (task === undefined) return;
			running += 1;
			execute(task, (ending) => {
				running -= 1;
				note(settle(schedule, task, ending));
			});
		}
	};
	const stopListening = signal && onAbort(signal, () => note(schedule.stop()));
	const end = (): void => {
		stopListening?.();
		resolve();
	};
	note(signal?.aborted ? [...schedule.begin(), ...schedule.stop()] : schedule.begin());
	return promise;
}

function settle(schedule: Schedule, task: number, ending: Ending): readonly number[] {
	switch (ending.state) {
		case "done":
			return schedule.done(task, ending);
		case "failed":
			return schedule.failed(task, ending.stops);
		case "cancelled":
			return schedule.cancelled(task);
	}
}
