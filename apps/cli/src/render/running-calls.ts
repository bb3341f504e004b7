import { stripVTControlCharacters } from "node:util";
import type { StreamEvent, StreamEventOf } from "@robot-lab/core";
import { columnsOf, fitted } from "./fitted.js";
import { printableLine } from "./printable.js";
import type { Style } from "./style.js";
import { argumentsText } from "./tool-call.js";

const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"] as const;
const LONGEST_NAME = 40;
const LONGEST_ARGUMENTS = 30;
/** Far more than a line shows. */
const MAX_OUTPUT = 1_000;

interface RunningCall {
	readonly name: string;
	readonly args: string;
	readonly state: "waiting" | "starting sandbox" | "running";
	/** Since when it is waited for, or runs. */
	readonly sinceMs: number;
	/** The last line with something in it that it put out. */
	readonly said: string;
	/** What it put out behind its last line break. */
	readonly open: string;
}

export interface RunningView {
	/** A clock that does not go back; the same as the events were told with. */
	readonly nowMs: number;
	/** How many times the lines were drawn before. */
	readonly frame: number;
	readonly columns: number;
	readonly style: Style;
}

/** What a run waits for: its model, and the calls that have no end yet. One line each, to be drawn anew. */
export class RunningCalls {
	readonly #calls = new Map<string, RunningCall>();
	#askedAtMs: number | undefined;

	event(event: StreamEvent, nowMs: number): void {
		switch (event.event) {
			case "step.started":
				this.#askedAtMs = nowMs;
				return;
			case "step.completed":
			case "step.failed":
				this.#askedAtMs = undefined;
				return;
			case "part.created":
				this.#askedAtMs = undefined;
				if (event.data.type === "tool-call") this.#change(event.data, { sinceMs: nowMs });
				if (event.data.type === "tool-output") this.#change(event.data, { state: stateAtFirst(event.data), sinceMs: nowMs });
				return;
			case "part.completed":
				if (event.data.type === "tool-call") this.#change(event.data, { args: argumentsText(event.data.input ?? event.data.finalContent) });
				if (event.data.type === "tool-output") this.#calls.delete(event.data.toolCallId ?? "");
				return;
			case "part.failed":
				this.#calls.delete(event.data.toolCallId ?? "");
				return;
			case "tool_call.output.delta":
				this.#output(event.data);
				return;
			case "metadata.updated":
				if (event.data.type === "lifecycle" && event.data.toolCallId !== undefined)
					this.#step(event.data.toolCallId, event.data.lifecycle.reason);
				return;
			case "stream.ended":
				this.#calls.clear();
		}
	}

	lines({ nowMs, frame, columns, style }: RunningView): string[] {
		const spinner: Piece = [FRAMES[frame % FRAMES.length] ?? "", style.name];
		const asked = this.#askedAtMs;
		const asking: Piece[][] =
			asked === undefined ? [] : [[spinner, [" waiting for the model", style.faint], elapsed(nowMs - asked, style)]];
		const calls = [...this.#calls.values()].map((call) => [spinner, ...callPieces(call, nowMs, style)]);
		// a terminal breaks a line that fills it to the last column
		return [...asking, ...calls].map((pieces) => inColumns(pieces, columns - 1));
	}

	#change({ toolCallId, toolName }: CallFacts, change: Partial<RunningCall>): void {
		if (toolCallId === undefined) return;
		const known = this.#calls.get(toolCallId) ?? { name: toolName ?? "", args: "", state: "waiting", sinceMs: 0, said: "", open: "" };
		this.#calls.set(toolCallId, { ...known, ...change });
	}

	#step(toolCallId: string, reason: string): void {
		if (!this.#calls.has(toolCallId)) return;
		if (reason === "sandbox_boot") this.#change({ toolCallId }, { state: "starting sandbox" });
		if (reason === "command_start") this.#change({ toolCallId }, { state: "running" });
	}

	#output({ toolCallId, delta }: StreamEventOf<"tool_call.output.delta">["data"]): void {
		const call = this.#calls.get(toolCallId);
		if (call === undefined) return;
		// a progress bar returns to the beginning of its line
		const lines = `${call.open}${delta}`.slice(-MAX_OUTPUT).split(/\r\n|\n|\r/);
		const said = lines.map((line) => printableLine(stripVTControlCharacters(line))).findLast((line) => line !== "");
		this.#change({ toolCallId }, { said: said ?? call.said, open: lines.at(-1) ?? "" });
	}
}

/** A skill's tools are scripts, which tell themselves when they run: a sandbox may have to come before. */
const stateAtFirst = ({ skill }: { readonly skill?: string }): RunningCall["state"] => (skill === undefined ? "running" : "waiting");

type CallFacts = { readonly toolCallId?: string; readonly toolName?: string };
type Piece = readonly [text: string, paint: (text: string) => string];

const callPieces = ({ state, sinceMs, name, args, said }: RunningCall, nowMs: number, style: Style): Piece[] => [
	[` ${state}`, style.faint],
	elapsed(nowMs - sinceMs, style),
	[`  ${printableLine(name, LONGEST_NAME)}`, style.name],
	[args === "" ? "" : ` ${printableLine(args, LONGEST_ARGUMENTS)}`, plain],
	[said === "" ? "" : `  ${said}`, style.faint],
];

const plain = (text: string): string => text;

/** In tenths of a second from the beginning: milliseconds would only flicker. */
const elapsed = (milliseconds: number, style: Style): Piece => [` ${(Math.max(0, milliseconds) / 1000).toFixed(1)} s`, style.faint];

/** Pieces one behind the other, as far as there is room. */
function inColumns(pieces: readonly Piece[], columns: number): string {
	let room = columns;
	let line = "";
	for (const [text, paint] of pieces) {
		const piece = fitted(text, room);
		line += paint(piece);
		room -= columnsOf(piece);
		if (piece !== text) break;
	}
	return line;
}
