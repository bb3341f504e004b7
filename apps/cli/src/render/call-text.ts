import type { Confinement, StreamEventOf } from "@robot-lab/core";
import { confinementText } from "./confinement.js";
import { duration } from "./duration.js";
import { type GrantView, renderGrant } from "./grant.js";
import { printableLine } from "./printable.js";
import { row } from "./row.js";
import type { Style } from "./style.js";
import { argumentsText } from "./tool-call.js";

/** What is known before the run begins. */
export interface RunSurroundings {
	/** By a skill's name; `undefined` where there is no such skill. */
	readonly grantOf: (skill: string) => GrantView | undefined;
	/** Of confinement: whether it is on, and where. */
	readonly enabled: boolean;
	readonly platform: string;
	/** Whether running calls are on the screen anyway, so that a call need be told only when it ends. */
	readonly isWatched: boolean;
	/** Whether the answer quotes what a call failed with, as the offline model's does. Default false. */
	readonly isQuoted?: boolean;
}

/** Of a failure no more is shown than helps: the model has all of it. */
const MOST_LINES = 8;
const LONGEST_LINE = 200;

type Ended = StreamEventOf<"part.completed" | "part.failed">["data"] & { readonly error?: { readonly message: string } };

/** The calls of a run as people read them: each when it begins, and how it ended. Calls may run side by side. */
export class CallText {
	readonly #style: Style;
	readonly #surroundings: RunSurroundings;
	readonly #arguments = new Map<string, string>();
	readonly #granted = new Set<string>();
	/** The call that was named last. */
	#named: string | undefined;

	constructor(style: Style, surroundings: RunSurroundings) {
		this.#style = style;
		this.#surroundings = surroundings;
	}

	/** Keeps what a call is made with. */
	asked({ toolCallId = "", input, finalContent }: StreamEventOf<"part.completed">["data"]): void {
		this.#arguments.set(toolCallId, argumentsText(input ?? finalContent));
	}

	begun({ toolCallId, toolName, skill }: StreamEventOf<"part.created">["data"]): string {
		return `${this.#grant(skill)}${this.#surroundings.isWatched ? "" : this.#name("Call", toolCallId, toolName)}`;
	}

	/** What the call's own record says. What a script printed, and the model reads, decides nothing here. */
	ended(call: Ended): string {
		const label = this.#surroundings.isWatched ? "Call" : "Ended";
		const name = this.#named === call.toolCallId ? "" : this.#name(label, call.toolCallId, call.toolName);
		const { script } = call;
		if (script?.refusal !== undefined) {
			return `${name}${this.#row("Script", this.#style.bad(`not run: ${printableLine(script.refusal.message, 400)}`))}`;
		}
		const confined = script === undefined ? "" : this.#row("Confined", this.#confined(script.confinement, call.skill));
		return `${name}${confined}${this.#row("Script", this.#outcome(call))}`;
	}

	#outcome({ durationMs, error, result }: Ended): string {
		const time = durationMs === undefined ? "" : duration(durationMs);
		if (error === undefined) return time === "" ? "ran" : `ran for ${time}`;
		const failed = this.#style.bad(time === "" ? "failed" : `failed after ${time}`);
		return `${failed}: ${this.#failure((result ?? error.message).trim().split("\n"))}`;
	}

	/** Line by line, as it was written; the first one where the answer has them all. */
	#failure(lines: readonly string[]): string {
		const [first = "", ...further] = lines.map((line) => printableLine(line, LONGEST_LINE));
		if (this.#surroundings.isQuoted || further.length === 0) return first.replace(/:$/, "");
		const shown = further.slice(0, MOST_LINES - 1);
		const left = further.length - shown.length;
		const rest = [...shown, ...(left > 0 ? [this.#style.faint(`… ${left} more lines`)] : [])];
		return [first, ...rest.map((line) => row("", line, this.#style).trimEnd())].join("\n");
	}

	#name(label: string, toolCallId: string | undefined, toolName = ""): string {
		this.#named = toolCallId;
		return `\n${this.#row(label, `${this.#style.name(printableLine(toolName, 100))} ${this.#arguments.get(toolCallId ?? "") ?? ""}`.trimEnd())}`;
	}

	/** Told once for each skill, right before its first script runs. */
	#grant(skill: string | undefined): string {
		const grant = skill === undefined || this.#granted.has(skill) ? undefined : this.#surroundings.grantOf(skill);
		if (skill === undefined || grant === undefined) return "";
		this.#granted.add(skill);
		return `\n${this.#row("Grant", printableLine(skill))}${renderGrant(grant, this.#style).join("\n")}\n`;
	}

	#confined(confinement: Confinement, skill: string | undefined): string {
		const { enabled, platform, grantOf } = this.#surroundings;
		const isCore = skill !== undefined && grantOf(skill)?.declared.isCore === true;
		const text = confinementText({ enabled, confinement, platform, isCore });
		return confinement === "none" ? this.#style.warning(text) : this.#style.good(text);
	}

	#row(label: string, text: string): string {
		return row(label, text, this.#style);
	}
}
