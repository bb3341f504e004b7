import type { MatchedSkill, MatcherFallback, StreamEvent, StreamEventOf } from "@robot-lab/core";
import type { ModelChoice } from "../model.js";
import { CallText, type RunSurroundings } from "./call-text.js";
import { columns } from "./columns.js";
import { duration } from "./duration.js";
import { printable, printableLine } from "./printable.js";
import { row } from "./row.js";
import type { Style } from "./style.js";

type RunEnd = StreamEventOf<"run.completed" | "run.interrupted">;
type Usage = StreamEventOf<"usage.updated">["data"]["usage"];

/** A run as people read it: every event becomes the text to print next, often none. */
export class RunText {
	readonly #style: Style;
	readonly #calls: CallText;
	readonly #isWatched: boolean;
	#endedCalls = 0;
	#usage: Usage = {};
	/** What the answer's last piece ended with; `undefined` outside of an answer. */
	#lastPiece: string | undefined;

	constructor(style: Style, surroundings: RunSurroundings) {
		this.#style = style;
		this.#calls = new CallText(style, surroundings);
		this.#isWatched = surroundings.isWatched;
	}

	start({ model, isFallback }: ModelChoice): string {
		const note = isFallback ? " (no model is configured; --model provider/id chooses one)" : "";
		return row("Model", `${printableLine(model, 100)}${this.#style.faint(note)}`, this.#style);
	}

	/** What goes to standard output. What a run beneath this one does is its call's affair. */
	event(event: StreamEvent): string {
		if (event.data.parentRunId !== undefined) return "";
		switch (event.event) {
			case "metadata.updated":
				return this.#metadata(event.data);
			case "text.delta":
				return this.#answer(event.data.delta);
			case "part.created":
				return this.#begun(event.data);
			case "part.completed":
			case "part.failed":
				return this.#ended(event);
			case "usage.updated":
				if (event.data.usageScope === "run") this.#usage = event.data.usage;
				return "";
			case "step.failed":
			case "run.failed":
				return this.#broken();
			case "run.completed":
			case "run.interrupted":
				return this.#finished(event);
			default:
				return "";
		}
	}

	/** Ends the line of an answer that broke off. */
	#broken(): string {
		const text = this.#lastPiece === undefined || this.#lastPiece.endsWith("\n") ? "" : "\n";
		this.#lastPiece = undefined;
		return text;
	}

	#metadata(data: StreamEventOf<"metadata.updated">["data"]): string {
		if (data.type === "skills") return `${this.#matches(data.matches)}${this.#fallback(data.fallback, data.embedder)}`;
		return data.type === "skill_loaded" ? `${this.#broken()}${row("Skill", `${printableLine(data.skill)}  loaded`, this.#style)}` : "";
	}

	#fallback(fallback: MatcherFallback | undefined, embedder = ""): string {
		if (fallback === undefined) return "";
		return row("", this.#style.warning(`${printableLine(fallback.message)}; ${printableLine(embedder)} chose instead`), this.#style);
	}

	#matches(matches: readonly MatchedSkill[]): string {
		if (matches.length === 0) return row("Skills", this.#style.warning("none fits this message"), this.#style);
		const lines = columns(
			matches.map(({ skill, score, reason }) => [printableLine(skill), [scoreText(score), REASONS[reason]].filter(Boolean).join(", ")]),
			"",
		);
		return lines.map((line, index) => row(index === 0 ? "Skills" : "", line, this.#style)).join("");
	}

	#begun(part: StreamEventOf<"part.created">["data"]): string {
		if (part.type === "tool-output") return `${this.#broken()}${this.#calls.begun(part)}`;
		// the line of a call that is watched stands below the answer
		return part.type === "tool-call" && this.#isWatched ? this.#broken() : "";
	}

	#ended({ event, data }: StreamEventOf<"part.completed" | "part.failed">): string {
		if (data.type === "tool-call" && event === "part.completed") this.#calls.asked(data);
		if (data.type !== "tool-output") return "";
		this.#endedCalls += 1;
		return `${this.#broken()}${this.#calls.ended(data)}`;
	}

	#answer(delta: string): string {
		if (delta === "") return "";
		const heading = this.#lastPiece === undefined ? `\n${this.#style.heading("Answer")}\n` : "";
		this.#lastPiece = delta;
		return `${heading}${printable(delta)}`;
	}

	#finished({ event, data }: RunEnd): string {
		const { promptTokens, completionTokens } = this.#usage;
		const calls = this.#endedCalls === 1 ? "1 tool call" : `${this.#endedCalls} tool calls`;
		const tokens = promptTokens || completionTokens ? `, ${promptTokens ?? 0} tokens in, ${completionTokens ?? 0} out` : "";
		const how = event === "run.completed" ? "Done in" : "Broke off after";
		return `${this.#broken()}\n${this.#style.faint(`${how} ${duration(data.durationMs)}: ${calls}${tokens}.`)}\n`;
	}
}

const scoreText = (score: number | undefined): string => (score === undefined ? "" : `score ${score.toFixed(2)}`);

/** What a person reads besides the score. */
const REASONS: Readonly<Record<MatchedSkill["reason"], string>> = {
	named: "asked for",
	fits: "",
	may_fit: "offered",
	on_request: "offered",
	beyond_top_k: "offered, others fit better",
	over_budget: "offered, its instructions are long",
};
