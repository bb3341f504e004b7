import { type DrawnOutcome, NetworkProjection, type NetworkRecord, type StreamEvent, type TaskRecord } from "@robot-lab/core";
import { duration } from "./duration.js";
import { type LastWords, NO_WORDS, wordsWith } from "./last-words.js";
import { elapsed, inColumns, type LiveView, type Piece, plain, spinner } from "./pieces.js";
import { printableLine } from "./printable.js";
import type { Style } from "./style.js";
import { TaskRuns } from "./task-runs.js";

const LONGEST_NAME = 40;

interface RunningTask extends LastWords {
	readonly sinceMs: number;
}

/** The tasks of a network while it runs, one line each: what became of them, how long they take, what was said last, what they wait for. */
export class NetworkTree {
	readonly #projection = new NetworkProjection();
	readonly #runs = new TaskRuns();
	readonly #running = new Map<string, RunningTask>();

	event(event: StreamEvent, nowMs: number): void {
		this.#projection.observe(event);
		const task = this.#runs.taskOf(event);
		if (task === undefined) return;
		const running = this.#running.get(task) ?? { sinceMs: nowMs, ...NO_WORDS };
		const isSpeech = event.event === "text.delta" || event.event === "tool_call.output.delta";
		this.#running.set(task, isSpeech ? { ...running, ...wordsWith(running, event.data.delta) } : running);
	}

	/** The running ones alone, and how many others there are, where there is no room for all. */
	lines(view: LiveView & { readonly rows: number }): readonly string[] {
		const record = this.#projection.drawing?.toJSON();
		if (record === undefined) return [];
		const { outcomes } = this.#projection;
		const isWhole = record.tasks.length <= view.rows;
		const shown = isWhole ? record.tasks : record.tasks.filter(({ name }) => outcomes[name]?.state === "running");
		const width = Math.max(...shown.map(({ name }) => nameOf(name).length), 0);
		const lines = shown.map((task) => inColumns(this.#pieces(task, outcomes, width, view), view.columns - 1));
		return isWhole ? lines : [...lines.slice(0, view.rows - 1), view.style.faint(countsOf(record, outcomes))];
	}

	#pieces(task: TaskRecord, outcomes: Outcomes, width: number, { nowMs, frame, style }: LiveView): readonly Piece[] {
		const outcome = outcomes[task.name];
		const name: Piece = [` ${nameOf(task.name).padEnd(width)}`, style.name];
		if (outcome === undefined)
			return [
				["·", style.faint],
				[name[0], plain],
				[`  ${waitingFor(task, outcomes)}`, style.faint],
			];
		if (outcome.state !== "running") {
			const time = outcome.durationMs === undefined ? "" : ` ${duration(outcome.durationMs)}`;
			const isByFallback = outcome.state === "done" && outcome.error !== undefined;
			const by = isByFallback ? ` by its fallback, after: ${printableLine(outcome.error.message)}` : "";
			return [markOf(outcome, style), [name[0], plain], [`  ${outcome.state}`, plain], [time, style.faint], [by, style.warning]];
		}
		const { sinceMs, said } = this.#running.get(task.name) ?? { sinceMs: nowMs, ...NO_WORDS };
		const attempt = (outcome.attempts ?? 1) > 1 ? `, attempt ${outcome.attempts}` : "";
		return [
			spinner(frame, style),
			name,
			[`  running${attempt}`, style.faint],
			elapsed(nowMs - sinceMs, style),
			[said && `  ${said}`, style.faint],
		];
	}
}

type Outcomes = Readonly<Record<string, DrawnOutcome>>;

const nameOf = (name: string): string => printableLine(name, LONGEST_NAME);

function waitingFor({ dependsOn }: TaskRecord, outcomes: Outcomes): string {
	if (dependsOn === "optional") return "when activated";
	const missing = typeof dependsOn === "string" ? [] : dependsOn.filter((name) => (outcomes[name]?.state ?? "running") === "running");
	return missing.length === 0 ? "waiting" : `waiting for ${missing.map(nameOf).join(", ")}`;
}

function markOf({ state }: DrawnOutcome, style: Style): Piece {
	if (state === "done") return ["✓", style.good];
	return state === "failed" ? ["✗", style.bad] : ["-", style.faint];
}

function countsOf({ tasks }: NetworkRecord, outcomes: Outcomes): string {
	const counts = new Map<string, number>();
	for (const { name } of tasks) {
		const state = outcomes[name]?.state ?? "waiting";
		counts.set(state, (counts.get(state) ?? 0) + 1);
	}
	return `${tasks.length} tasks: ${[...counts].map(([state, count]) => `${count} ${state}`).join(", ")}`;
}
