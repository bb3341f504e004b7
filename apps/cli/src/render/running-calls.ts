import type { StreamEvent, StreamEventOf } from "@robot-lab/core";
import { type LastWords, NO_WORDS, wordsWith } from "./last-words.js";
import { elapsed, inColumns, type LiveView, type Piece, plain, spinner } from "./pieces.js";
import { printableLine } from "./printable.js";
import type { Style } from "./style.js";
import { argumentsText } from "./tool-call.js";

const LONGEST_NAME = 40;
const LONGEST_ARGUMENTS = 30;

interface RunningCall extends LastWords {
	readonly name: string;
	readonly args: string;
	readonly state: "waiting" | "starting sandbox" | "running";
	/** Since when it is waited for, or runs. */
	readonly sinceMs: number;
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

	lines({ nowMs, frame, columns, style }: LiveView): string[] {
		const asked = this.#askedAtMs;
		const asking: Piece[][] =
			asked === undefined ? [] : [[spinner(frame, style), [" waiting for the model", style.faint], elapsed(nowMs - asked, style)]];
		const calls = [...this.#calls.values()].map((call) => [spinner(frame, style), ...callPieces(call, nowMs, style)]);
		// a terminal breaks a line that fills it to the last column
		return [...asking, ...calls].map((pieces) => inColumns(pieces, columns - 1));
	}

	#change({ toolCallId, toolName }: CallFacts, change: Partial<RunningCall>): void {
		if (toolCallId === undefined) return;
		const known = this.#calls.get(toolCallId) ?? { name: toolName ?? "", args: "", state: "waiting", sinceMs: 0, ...NO_WORDS };
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
		this.#change({ toolCallId }, wordsWith(call, delta));
	}
}

/** A skill's tools are scripts, which tell themselves when they run: a sandbox may have to come before. */
const stateAtFirst = ({ skill }: { readonly skill?: string }): RunningCall["state"] => (skill === undefined ? "running" : "waiting");

type CallFacts = { readonly toolCallId?: string; readonly toolName?: string };

const callPieces = ({ state, sinceMs, name, args, said }: RunningCall, nowMs: number, style: Style): Piece[] => [
	[` ${state}`, style.faint],
	elapsed(nowMs - sinceMs, style),
	[`  ${printableLine(name, LONGEST_NAME)}`, style.name],
	[args === "" ? "" : ` ${printableLine(args, LONGEST_ARGUMENTS)}`, plain],
	[said === "" ? "" : `  ${said}`, style.faint],
];
