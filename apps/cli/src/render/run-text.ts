import type { AgentSkill, Confinement, RobotEvent, RobotResult, SkillMatch } from "@robot-lab/core";
import type { ModelChoice } from "../model.js";
import { columns } from "./columns.js";
import { confinementText } from "./confinement.js";
import { duration } from "./duration.js";
import { type GrantView, renderGrant } from "./grant.js";
import { printable, printableLine } from "./printable.js";
import type { Style } from "./style.js";
import { argumentsText } from "./tool-call.js";

type Event<Type extends RobotEvent["type"]> = Extract<RobotEvent, { type: Type }>;

const LABEL_WIDTH = 10;

/** What is known before the run begins. */
export interface RunSurroundings {
	readonly grantOf: (skill: AgentSkill) => GrantView;
	/** Of confinement: whether it is on, and where. */
	readonly enabled: boolean;
	readonly platform: string;
}

/** A run as people read it: every event becomes the text to print next, often none. */
export class RunText {
	readonly #style: Style;
	readonly #surroundings: RunSurroundings;
	readonly #skills = new Map<string, AgentSkill>();
	readonly #granted = new Set<string>();
	/** By call: whether its skill claims to be audited. */
	readonly #isCore = new Map<string, boolean>();
	/** What the answer's last piece ended with; `undefined` outside of an answer. */
	#lastPiece: string | undefined;

	constructor(style: Style, surroundings: RunSurroundings) {
		this.#style = style;
		this.#surroundings = surroundings;
	}

	start({ model, isFallback }: ModelChoice): string {
		const note = isFallback ? " (no model is configured; --model provider/id chooses one)" : "";
		return this.#row("Model", `${printableLine(model, 100)}${this.#style.faint(note)}`);
	}

	event(event: RobotEvent): string {
		switch (event.type) {
			case "skills_matched":
				return this.#matches(event.matches);
			case "warning":
				return `${this.#style.warning("warning:")} ${printableLine(event.message)}\n`;
			case "retry":
				return `${this.#style.warning("retry:")} in ${duration(event.delayMs)}, ${printableLine(event.message, 300)}\n`;
			case "text_delta":
				return this.#answer(event.delta);
			case "tool_call_started":
				return this.#call(event);
			case "tool_call_ended":
				return this.#ended(event);
			case "finished":
				return this.#finished(event.result);
			case "tool_lifecycle":
			case "tool_output":
				return "";
		}
	}

	/** Ends the line of an answer that broke off. */
	broken(): string {
		const text = this.#lastPiece === undefined || this.#lastPiece.endsWith("\n") ? "" : "\n";
		this.#lastPiece = undefined;
		return text;
	}

	#row(label: string, text: string): string {
		return `${this.#style.heading(label.padEnd(LABEL_WIDTH))}${text}\n`;
	}

	#matches(matches: readonly SkillMatch[]): string {
		if (matches.length === 0) return this.#row("Skills", this.#style.warning("none fits this message"));
		for (const { skill } of matches) this.#skills.set(skill.name, skill);
		const lines = columns(
			matches.map(({ skill, score }) => [printableLine(skill.name), `score ${score.toFixed(2)}`]),
			"",
		);
		return lines.map((line, index) => (index === 0 ? this.#row("Skills", line) : `${" ".repeat(LABEL_WIDTH)}${line}\n`)).join("");
	}

	#call({ id, name, args, skill }: Event<"tool_call_started">): string {
		this.#isCore.set(id, this.#skills.get(skill ?? "")?.capabilities.isCore ?? false);
		const call = this.#row("Call", `${this.#style.name(printableLine(name))} ${argumentsText(args)}`);
		return `${this.broken()}${this.#grant(skill)}\n${call}`;
	}

	/** Told once for each skill, right before its first script runs. */
	#grant(name: string | undefined): string {
		const skill = name === undefined ? undefined : this.#skills.get(name);
		if (skill === undefined || this.#granted.has(skill.name)) return "";
		this.#granted.add(skill.name);
		return `\n${this.#row("Grant", printableLine(skill.name))}${renderGrant(this.#surroundings.grantOf(skill), this.#style).join("\n")}\n`;
	}

	/** What the call's own record says. What a script printed, and the model reads, decides nothing here. */
	#ended({ id, script, isError, durationMs, result }: Event<"tool_call_ended">): string {
		const refusal = script?.refusal;
		if (refusal !== undefined) return this.#row("Script", this.#style.bad(`not run: ${printableLine(refusal.message, 400)}`));
		const outcome = isError ? this.#style.bad(`failed after ${duration(durationMs)}`) : `ran for ${duration(durationMs)}`;
		const said = isError ? `: ${printableLine(result, 200)}` : "";
		const confined = script === undefined ? "" : this.#row("Confined", this.#confined(id, script.confinement));
		return `${confined}${this.#row("Script", `${outcome}${said}`)}`;
	}

	#confined(id: string, confinement: Confinement): string {
		const { enabled, platform } = this.#surroundings;
		const text = confinementText({ enabled, confinement, platform, isCore: this.#isCore.get(id) ?? false });
		return confinement === "none" ? this.#style.warning(text) : this.#style.good(text);
	}

	#answer(delta: string): string {
		const heading = this.#lastPiece === undefined ? `\n${this.#style.heading("Answer")}\n` : "";
		this.#lastPiece = delta;
		return `${heading}${printable(delta)}`;
	}

	#finished({ durationMs, toolCalls, inputTokens, outputTokens }: RobotResult): string {
		const calls = toolCalls.length === 1 ? "1 tool call" : `${toolCalls.length} tool calls`;
		const tokens = inputTokens || outputTokens ? `, ${inputTokens ?? 0} tokens in, ${outputTokens ?? 0} out` : "";
		return `${this.broken()}\n${this.#style.faint(`Done in ${duration(durationMs)}: ${calls}${tokens}.`)}\n`;
	}
}
