import type { LanguageModelV4Message } from "@ai-sdk/provider";
import type { BudgetLedger } from "../guard/budget-ledger.js";
import { DoomLoopGuard } from "../guard/doom-loop.js";
import type { History } from "../history/history.js";
import type { HookChain } from "../hook/hook-chain.js";
import { learningsBlock } from "../memory/learnings.js";
import type { Memory } from "../memory/memory.js";
import type { Model } from "../model/model.js";
import { ABORTED, unlessAborted } from "../process/unless-aborted.js";
import { answerForm } from "../run/answer-schema.js";
import { listeners } from "../run/listeners.js";
import type { RunPorts, RunState } from "../run/run-state.js";
import type { AgentSkill } from "../skill/agent-skill.js";
import type { RunPublisher } from "../stream/run-publisher.js";
import { wellFormed } from "../text/well-formed.js";
import { type AttachedPart, readAttachments } from "./attachments.js";
import type { RunPrompt } from "./prompt-for-run.js";
import type { RobotSetup } from "./robot-setup.js";
import type { ContentChunk, RunOptions } from "./run-options.js";
import { skillsOfMessage } from "./skills-of-message.js";
import { tellShortcomings } from "./tell-shortcomings.js";
import { toolsForRun } from "./tools-for-run.js";

/** What a run is prepared from. */
export interface RunMaterials {
	readonly message: string;
	readonly options: RunOptions;
	readonly model: Model;
	readonly history: History;
	readonly prompt: RunPrompt;
	readonly setup: RobotSetup;
	readonly callIds: Set<string>;
	readonly memory: Memory;
	readonly learnings: readonly string[];
	readonly budget: BudgetLedger | undefined;
	readonly noteUsage: RunPorts["noteUsage"];
	readonly hooks: HookChain | undefined;
	readonly run: RunPublisher;
}

/** Everything one run needs, put together: matched skills, tools, the prompt and the listeners. */
export async function prepareRun(materials: RunMaterials): Promise<{ readonly state: RunState; readonly ports: RunPorts }> {
	const { message, options, model, history, prompt, setup, callIds, memory, learnings, budget, noteUsage, hooks, run } = materials;
	const { robot } = prompt;
	const { skills } = setup;
	const { signal } = options;
	const { active, offered } = await skillsOfMessage(skills, message, { named: prompt.named, options, run });
	for (const skill of active) await tellShortcomings(skill, run);
	const tools = await toolsForRun({ setup, robot, skills: active, offered, message, options, run });
	// a file on a computer that is gone may never come
	const read = options.with === undefined ? [] : await unlessAborted(readAttachments(options.with), signal);
	const attached = read === ABORTED ? [] : read;
	const form = options.schema === undefined ? robot.form : answerForm(options.schema);
	const onChunk = listeners<ContentChunk>("onContent", robot.onContent, options.onContent);
	return {
		state: stateOf({ message, attached, learnings, system: systemText(active, prompt.text), history }),
		ports: {
			model,
			modelLabel: robot.modelLabel,
			tools,
			settings: {
				...robot.callSettings,
				...(form && { responseFormat: form.responseFormat }),
				...(signal && { abortSignal: signal }),
			},
			maxToolRounds: robot.maxToolRounds,
			form,
			doomLoop: new DoomLoopGuard(robot.doomLoopThreshold),
			budget,
			pricing: robot.pricing,
			noteUsage,
			retry: robot.retry,
			signal,
			onToolCall: robot.onToolCall,
			onToolResult: robot.onToolResult,
			hooks,
			surroundings: { robotName: robot.name, memory },
			onText: onChunk && ((content: string) => onChunk({ content })),
			run,
			callIds,
		},
	};
}

/** The skills' instructions, then the prompt of templates and robot. */
function systemText(skills: readonly AgentSkill[], own: string): string {
	return [...skills.map((skill) => skill.instructions), own].filter((text) => text !== "").join("\n\n");
}

interface Said {
	readonly message: string;
	readonly attached: readonly AttachedPart[];
	readonly learnings: readonly string[];
	readonly system: string;
	readonly history: History;
}

/** The model reads the learnings before the message of this run. They are no part of what was said, and so not of the history. */
function stateOf({ message, attached, learnings, system, history }: Said): RunState {
	const user = userMessage(message, attached);
	const block = learningsBlock(learnings);
	const asked = block === "" ? user : userMessage(`${block}\n\n${message}`, attached);
	const prompt: LanguageModelV4Message[] = [
		...(system === "" ? [] : [{ role: "system", content: wellFormed(system) } as const]),
		...history,
		asked,
	];
	return { prompt, turn: [user], output: [], toolCalls: [], usage: {} };
}

const userMessage = (text: string, attached: readonly AttachedPart[]): LanguageModelV4Message => ({
	role: "user",
	content: [{ type: "text", text: wellFormed(text) }, ...attached],
});
