import type { RunPublisher, RunWatcher } from "../stream/run-publisher.js";
import type { StreamEvent } from "../stream/stream-event.js";
import { lifecycleProjection } from "../update/project-lifecycle.js";
import { outputProjection } from "../update/project-output.js";
import type { RobotListeners } from "./robot-listeners.js";

/**
 * Tells a robot's listeners of a run and of every run beneath it. They may come and go while it runs: the views are kept up to date while
 * nobody looks, so that whoever comes late is told what is right.
 */
export function observeRun(run: RunPublisher, listeners: RobotListeners): RunWatcher | undefined {
	// a robot that runs beneath itself is told by the run above
	if (run.isWatchedFor(listeners)) return undefined;
	const output = outputProjection();
	const lifecycle = lifecycleProjection();
	const belongs = runsFrom(run.runId);
	const observer = run.log.subscribe(
		(event) => {
			if (!belongs(event)) return;
			listeners.tell("event", event);
			// nearly every event is one of these, and no view has to remember any
			const isSaid = event.event === "text.delta" || event.event === "reasoning.delta";
			if (listeners.has("content")) for (const update of output.project(event)) listeners.tell("content", update);
			else if (!isSaid) output.observe(event);
			if (isSaid) return;
			if (!listeners.has("lifecycle")) lifecycle.observe(event);
			else for (const change of lifecycle.project(event)) listeners.tell("lifecycle", change);
		},
		{ wantsDeltas: () => listeners.has("event") || listeners.has("content") },
	);
	return { owner: listeners, output: (chunk, stream) => listeners.tell(stream, chunk), ended: observer.unsubscribe };
}

/** Whether an event is of a run or of one beneath it. */
function runsFrom(root: string): (event: StreamEvent) => boolean {
	const runs = new Set([root]);
	return ({ event, data: { runId, parentRunId } }) => {
		if (event === "run.started" && parentRunId !== undefined && runs.has(parentRunId)) runs.add(runId);
		return runs.has(runId);
	};
}
