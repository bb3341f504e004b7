import { TaskRunnerError } from "../errors/task-runner-error.js";

export const workerLost = (robot: string, why: string, cause: unknown): TaskRunnerError =>
	new TaskRunnerError(
		"worker_lost",
		`The thread in which "${robot}" runs is gone before it came to its end (${why}). It may have done a part of it. To try again: retries of the task.`,
		{ cause },
	);

/** @param what Whose message it is, as the beginning of the sentence. @param flaw What is wrong with it. */
export const badMessage = (what: string, flaw: string, cause?: unknown): TaskRunnerError =>
	new TaskRunnerError(
		"bad_message",
		`${what} cannot be used: ${flaw}. Load the same @robot-lab/core in both threads, and post nothing of your own with the field robotLabTasks between them.`,
		cause === undefined ? {} : { cause },
	);

export const runnerClosed = (): TaskRunnerError =>
	new TaskRunnerError("closed", "The runner of tasks in worker threads was closed, and runs nothing any more. Make a new one.");
