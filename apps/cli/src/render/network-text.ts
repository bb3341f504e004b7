import {
	NetworkProjection,
	type NetworkResult,
	type PublishedEvent,
	type RobotResult,
	type StreamEvent,
	type TaskOutcome,
} from "@robot-lab/core";
import type { ModelChoice } from "../model.js";
import { CallText, type RunSurroundings } from "./call-text.js";
import { duration } from "./duration.js";
import { excerpt } from "./excerpt.js";
import { printable, printableLine } from "./printable.js";
import { row } from "./row.js";
import type { Style } from "./style.js";
import { TaskRuns } from "./task-runs.js";

const LONGEST_NAME = 100;
const LONGEST_ERROR = 300;

/** A network's run as people read it: every event becomes the text to print next, often none. */
export class NetworkText {
	readonly #style: Style;
	readonly #calls: CallText;
	readonly #isWatched: boolean;
	readonly #projection = new NetworkProjection();
	readonly #runs = new TaskRuns();
	#endedCalls = 0;

	/** @param surroundings Where the tasks are on the screen anyway (`isWatched`), they are told when all is over. */
	constructor(style: Style, surroundings: RunSurroundings) {
		this.#style = style;
		// calls run side by side: each is told as a whole when it has ended
		this.#calls = new CallText(style, { ...surroundings, isWatched: true });
		this.#isWatched = surroundings.isWatched;
	}

	start(network: string, tasks: number, { model, isFallback }: ModelChoice): string {
		const note = isFallback ? "no model is configured; --model provider/id chooses one" : "for robots that name none";
		const count = tasks === 1 ? "1 task" : `${tasks} tasks`;
		return [
			row("Network", `${printableLine(network, LONGEST_NAME)} (${count})`, this.#style),
			row("Model", `${printableLine(model, LONGEST_NAME)}${this.#style.faint(` (${note})`)}`, this.#style),
		].join("");
	}

	/** What goes to standard output. */
	event(event: StreamEvent): string {
		this.#projection.observe(event);
		const task = this.#runs.taskOf(event);
		const { data } = event;
		if (task !== undefined && (event.event === "part.completed" || event.event === "part.failed")) return this.#call(task, event);
		if (task !== undefined && event.event === "part.created" && event.data.type === "tool-output") return this.#calls.begun(event.data);
		if (this.#isWatched) return "";
		const unrun = unrunTask(event);
		if (unrun !== undefined) return this.#ended(unrun);
		if (task === undefined || data.scope !== "task") return "";
		if (event.event === "run.started") return row("Started", printableLine(task, LONGEST_NAME), this.#style);
		return event.event === "run.completed" || event.event === "run.failed" || event.event === "run.interrupted" ? this.#ended(task) : "";
	}

	/** Everything there is to say in the end: what the tasks came to, shortly, and the answer. */
	end(result: NetworkResult): string {
		const { status, lastTextContent, durationMs, tasks } = result;
		const states = this.#isWatched ? Object.entries<TaskOutcome>(tasks).map(([task, outcome]) => this.#outcome(task, outcome)) : [];
		const isAnswered = status === "done" || status === "halted";
		const texts = [
			...this.#results(result),
			...(isAnswered ? [this.#section("Answer", lastTextContent && printable(lastTextContent))] : []),
		];
		const calls = this.#endedCalls === 1 ? "1 tool call" : `${this.#endedCalls} tool calls`;
		const how = { done: "Done in", halted: "Halted after", failed: "Failed after", cancelled: "Broke off after" }[status];
		return [...states, ...texts, `\n${this.#style.faint(`${how} ${duration(durationMs)}: ${calls}.`)}\n`].join("");
	}

	/** Shortly, where an answer follows: that itself is left out here. */
	#results({ status, results, value }: NetworkResult): readonly string[] {
		const isAnswered = status === "done" || status === "halted";
		return Object.entries<RobotResult | undefined>(results).flatMap(([task, result]) => {
			if (isAnswered && result === value) return [];
			const text = result?.lastTextContent;
			const shown = text && (isAnswered ? this.#shortly(text) : printable(text));
			return [this.#section(`Result of ${printableLine(task, LONGEST_NAME)}`, shown)];
		});
	}

	/** @param text As it may be shown. */
	#section(title: string, text: string | undefined): string {
		const shown = text === undefined || text === "" ? this.#style.faint("(no text)") : text;
		return `\n${this.#style.heading(title)}\n${shown}${shown.endsWith("\n") ? "" : "\n"}`;
	}

	#shortly(text: string): string {
		const { lines, more } = excerpt(text);
		const rest = `… ${more} more ${more === 1 ? "line" : "lines"}; --json has all`;
		return [...lines, ...(more === 0 ? [] : [this.#style.faint(rest)])].join("\n");
	}

	#call(task: string, { event, data }: Extract<StreamEvent, { readonly event: "part.completed" | "part.failed" }>): string {
		if (data.type === "tool-call" && event === "part.completed") this.#calls.asked(data);
		if (data.type !== "tool-output") return "";
		this.#endedCalls += 1;
		return `\n${row("Task", printableLine(task, LONGEST_NAME), this.#style)}${this.#calls.ended(data).replace(/^\n/, "")}\n`;
	}

	#ended(task: string): string {
		const outcome = this.#projection.outcomes[task];
		return outcome === undefined ? "" : this.#row(task, outcome.state, outcome.durationMs, outcome.attempts, outcome.error?.message);
	}

	#outcome(task: string, { state, durationMs, attempts, error }: TaskOutcome): string {
		const said =
			(state === "failed" || state === "done") && error !== undefined
				? error instanceof Error
					? error.message
					: String(error)
				: undefined;
		return this.#row(task, state, attempts === 0 ? undefined : durationMs, attempts, said);
	}

	/** `"Done      facts in 1.2 s, 2 attempts"`. @param error What it failed with; of one that is done, what its fallback stands in for. */
	#row(task: string, state: string, durationMs: number | undefined, attempts = 0, error?: string): string {
		const label = `${state[0]?.toUpperCase()}${state.slice(1)}`.padEnd(10);
		const paint = state === "done" ? this.#style.good : state === "failed" ? this.#style.bad : this.#style.faint;
		const time = durationMs === undefined ? "" : `${state === "done" ? " in" : " after"} ${duration(durationMs)}`;
		const tries = attempts > 1 ? `, ${attempts} attempts` : "";
		const cause = error === undefined ? "" : printableLine(error, LONGEST_ERROR);
		const why = error === undefined ? "" : state === "done" ? `, ${this.#style.warning("by its fallback")}, after: ${cause}` : `: ${cause}`;
		return `${paint(label)}${printableLine(task, LONGEST_NAME)}${time}${tries}${why}\n`;
	}
}

/** The task that ended without having run: an event of networks, which runs of robots do not have. */
function unrunTask({ event, data }: PublishedEvent): string | undefined {
	return event === "network.task" ? String(data.task) : undefined;
}
