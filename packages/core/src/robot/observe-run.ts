import type { RunPublisher, RunWatcher } from "../stream/run-publisher.js";
import type { StreamEvent } from "../stream/stream-event.js";
import { type LifecycleProjection, lifecycleProjection } from "../update/project-lifecycle.js";
import { type OutputProjection, outputProjection } from "../update/project-output.js";
import type { RobotListeners } from "./robot-listeners.js";

/**
 * Tells a robot's listeners of a run and of every run beneath it. They may come and go while it runs: the views are kept up to date while
 * nobody looks, so that whoever comes late is told what is right.
 */
export function observeRun(run: RunPublisher, listeners: RobotListeners): RunWatcher | undefined {
	// a robot that runs beneath itself is told by the run above
	if (run.isWatchedFor(listeners)) return undefined;
	const views = new RunViews(listeners);
	const belongs = run.isRoot ? undefined : runsFrom(run.runId);
	const observer = run.log.subscribe(
		(event) => {
			if (belongs === undefined || belongs(event)) views.tell(event);
		},
		{ wantsDeltas: () => listeners.has("event") || listeners.has("content") },
	);
	return { owner: listeners, output: (chunk, stream) => listeners.tell(stream, chunk), ended: observer.unsubscribe };
}

interface Views {
	readonly output: OutputProjection;
	readonly lifecycle: LifecycleProjection;
}

/** So many events of a run that nobody looks at are kept before its views are made of them: most runs are over by then. */
const MOST_UNSEEN = 64;

/** No view remembers anything of these. */
const isForgotten = (event: string): boolean => event.startsWith("step.") || event === "usage.updated";

/** What a run's events come to for the listeners of a robot. */
class RunViews {
	readonly #listeners: RobotListeners;
	/** Those that the views have not seen. */
	#unseen: StreamEvent[] = [];
	#views: Views | undefined;

	constructor(listeners: RobotListeners) {
		this.#listeners = listeners;
	}

	tell(event: StreamEvent): void {
		const listeners = this.#listeners;
		if (listeners.has("event")) listeners.tell("event", event);
		// nearly every event is one of these, and no view has to remember any
		const isSaid = event.event === "text.delta" || event.event === "reasoning.delta";
		const hasContent = listeners.has("content");
		const hasLifecycle = listeners.has("lifecycle");
		if (!hasContent && (isSaid || !hasLifecycle)) {
			if (!isSaid) this.#observe(event);
			return;
		}
		const { output, lifecycle } = this.#caughtUp();
		if (hasContent) for (const update of output.project(event)) listeners.tell("content", update);
		else output.observe(event);
		if (isSaid) return;
		if (hasLifecycle) for (const change of lifecycle.project(event)) listeners.tell("lifecycle", change);
		else lifecycle.observe(event);
	}

	/** Takes note of an event whose views nobody looks at. */
	#observe(event: StreamEvent): void {
		if (isForgotten(event.event)) return;
		if (this.#views === undefined && this.#unseen.length < MOST_UNSEEN) {
			this.#unseen.push(event);
			return;
		}
		const { output, lifecycle } = this.#caughtUp();
		output.observe(event);
		lifecycle.observe(event);
	}

	/** The views, which have seen every event before. */
	#caughtUp(): Views {
		if (this.#views !== undefined) return this.#views;
		this.#views = { output: outputProjection(), lifecycle: lifecycleProjection() };
		for (const event of this.#unseen) {
			this.#views.output.observe(event);
			this.#views.lifecycle.observe(event);
		}
		this.#unseen = [];
		return this.#views;
	}
}

/** Whether an event is of a run or of one beneath it. */
function runsFrom(root: string): (event: StreamEvent) => boolean {
	const runs = new Set([root]);
	return ({ event, data: { runId, parentRunId } }) => {
		if (event === "run.started" && parentRunId !== undefined && runs.has(parentRunId)) runs.add(runId);
		return runs.has(runId);
	};
}
