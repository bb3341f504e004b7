import type { LifecycleChange } from "./lifecycle-change.js";
import type { AgentRuntimeState, SandboxLifecycleState } from "./lifecycle-event.js";
import { STATES_AFTER } from "./lifecycle-states.js";

/** What the robot and each sandbox of a log were doing last. */
export class KnownStates {
	readonly #openRuns = new Set<string>();
	/** By the run that told of them, so that they are forgotten with it. */
	readonly #sandboxes = new Map<string, Map<string | null, SandboxLifecycleState>>();
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
		if (after.sandbox !== undefined) this.#noteSandbox(change, after.sandbox);
	}

	/** Forgets what ends with a run. */
	forgetRun(runId: string): void {
		this.#sandboxes.delete(runId);
	}

	forgetAll(): void {
		this.#openRuns.clear();
		this.#sandboxes.clear();
	}

	#noteSandbox({ runId, sandboxId }: LifecycleChange, state: SandboxLifecycleState): void {
		const sandboxes = this.#sandboxes.get(runId) ?? new Map<string | null, SandboxLifecycleState>();
		if (state === "stopped") sandboxes.delete(sandboxId);
		else sandboxes.set(sandboxId, state);
		this.#sandboxes.set(runId, sandboxes);
	}
}
