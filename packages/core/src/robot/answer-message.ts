import type { HookChain } from "../hook/hook-chain.js";
import type { Memory } from "../memory/memory.js";
import type { StopReason } from "../message/stop-reason.js";
import { ABORTED, unlessAborted } from "../process/unless-aborted.js";
import type { AnswerForm } from "../run/answer-schema.js";
import { generate } from "../run/generate.js";
import { lastTextOf, type RunPorts, type RunState } from "../run/run-state.js";
import type { RunPublisher } from "../stream/run-publisher.js";
import { compactedHistory } from "./compacted-history.js";
import type { Conversation } from "./conversation.js";
import { prepareRun } from "./prepare-run.js";
import { promptForRun } from "./prompt-for-run.js";
import type { RobotModel } from "./robot-model.js";
import type { RobotSetup } from "./robot-setup.js";
import type { RunOptions } from "./run-options.js";
import type { Spending } from "./spending.js";

/** What a robot's run works on. */
export interface RunSource {
	readonly setup: RobotSetup;
	readonly model: RobotModel;
	readonly conversation: Conversation;
	/** What the run's tools are handed. */
	readonly memory: Memory;
	readonly learnings: readonly string[];
	readonly spending: Spending;
	readonly hooks: HookChain | undefined;
}

/** What a run came to. */
export interface RunAnswer {
	readonly state: RunState;
	readonly stopReason: StopReason;
}

/** Answers one message. What was said becomes part of the conversation when the run ends, however it ends. */
export async function answerMessage(message: string, options: RunOptions, source: RunSource, run: RunPublisher): Promise<RunAnswer> {
	const { setup, conversation } = source;
	const prompt = await promptForRun(setup.made, setup.options, setup.skills, options);
	const model = await source.model.resolve(prompt.robot.model);
	const { compaction } = prompt.robot;
	const history =
		compaction === undefined
			? conversation.history
			: await compactedHistory({ conversation, compaction, hooks: source.hooks, system: prompt.text, signal: options.signal, run });
	const budget = source.spending.ledgerFor(prompt.robot.limits);
	const { state, ports } = await prepareRun({
		message,
		options,
		model,
		history,
		prompt,
		setup,
		callIds: conversation.callIds,
		memory: source.memory,
		learnings: source.learnings,
		budget,
		noteUsage: (usage) => source.spending.note(usage, budget),
		hooks: source.hooks,
		run,
	});
	try {
		const stopReason = ports.signal?.aborted ? "aborted" : await generate(message, state, ports);
		return { state, stopReason: ports.form === undefined ? stopReason : await readData(stopReason, state, ports.form, ports) };
	} finally {
		conversation.append(state.turn);
	}
}

/** What the answer is as data. Only an answer that came to its own end is one. */
async function readData(stopReason: StopReason, state: RunState, form: AnswerForm, { run, signal }: RunPorts): Promise<StopReason> {
	if (stopReason !== "stop") return stopReason;
	// a schema's own checks may wait for something
	const read = await unlessAborted(form.read(lastTextOf(state)), signal);
	if (read === ABORTED) return "aborted";
	if (!read.ok) {
		run.tell("metadata.updated", { type: "warning", message: `The answer is not of the form that was asked for: ${read.message}` });
		return "invalid_output";
	}
	state.data = read.value;
	return stopReason;
}
