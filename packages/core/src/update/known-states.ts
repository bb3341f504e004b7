import type { LifecycleChange } from "./lifecycle-change.js";
import type { AgentRuntimeState, SandboxLifecycleState } from "./lifecycle-event.js";
import { STATES_AFTER } from "./lifecycle-states.js";

/** How many sandboxes that have stopped are remembered, for ends that are told behind theirs: soon, or never. */
const MAX_STOPPED = 64;

/** What the robot and each sandbox of a log were doing last. */
export class KnownStates {
	readonly #openRuns = new Set<string>();
	/** By the run that told of them, so that they are forgotten with it. */
	readonly #sandboxes = new Map<string, Map<string | null, SandboxLifecycleState>>();
	/** Those that were told to have stopped, the latest last. */
	readonly #stopped = new Set<string>();
	#agent: AgentRuntimeState = "idle";

	get agent(): AgentRuntimeState {
		return this.#agent;
	}

	/** A sandbox of which nothing was told is not there. */
	sandbox({ runId, sandboxId }: LifecycleChange): SandboxLifecycleState {
		return this.#sandboxes.get(runId)?.get(sandboxId) ?? "stopped";
	}

	note(change: LifecycleChange): void {
		const { reason, runId, isOfRun } = change;
		const after = STATES_AFTER[reason];
		if (isOfRun && reason === "run_start") this.#openRuns.add(runId);
		else if (isOfRun) this.#openRuns.delete(runId);
		const isBusy = !isOfRun && this.#openRuns.size > 0;
		this.#agent = isBusy ? "running" : (after.agent ?? this.#agent);
		if (after.sandbox === undefined || (after.isEndOfWork && this.#isDown(change))) return;
		this.#noteSandbox(change, after.sandbox);
	}

	/** Forgets what ends with a run. */
	forgetRun(runId: string): void {
		this.#sandboxes.delete(runId);
	}

	forgetAll(): void {
		this.#openRuns.clear();
		this.#sandboxes.clear();
		this.#stopped.clear();
	}

	/** A killed command is told to have ended behind the end of its sandbox. A sandbox of which nothing was told may well be up. */
	#isDown(change: LifecycleChange): boolean {
		return !change.isOfRun && (this.sandbox(change) === "error" || this.#stopped.has(keyOf(change)));
	}

	#noteSandbox(change: LifecycleChange, state: SandboxLifecycleState): void {
		const { runId, sandboxId } = change;
		const sandboxes = this.#sandboxes.get(runId) ?? new Map<string | null, SandboxLifecycleState>();
		this.#sandboxes.set(runId, sandboxes);
		this.#stopped.delete(keyOf(change));
		if (state !== "stopped") {
			sandboxes.set(sandboxId, state);
			return;
		}
		sandboxes.delete(sandboxId);
		this.#stopped.add(keyOf(change));
		const [oldest = ""] = this.#stopped;
		if (this.#stopped.size > MAX_STOPPED) this.#stopped.delete(oldest);
	}
}

const keyOf = ({ runId, sandboxId }: LifecycleChange): string => JSON.stringify([runId, sandboxId]);
