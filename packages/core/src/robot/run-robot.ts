import { randomUUID } from "node:crypto";
import { checkHooks } from "../hook/check-hooks.js";
import { HookChain } from "../hook/hook-chain.js";
import type { HookSurroundings } from "../hook/hook-context.js";
import { RobotResult } from "../message/robot-result.js";
import { FROZEN_ALREADY } from "../message/robot-result-record.js";
import { endingOf, failedEnding } from "../run/run-ending.js";
import type { NewRun, RunPublisher } from "../stream/run-publisher.js";
import { frozenCopy } from "../value/frozen-copy.js";
import { answerMessage, type RunSource } from "./answer-message.js";
import { memoryForRun } from "./memory-for-run.js";
import type { RobotState } from "./robot-state.js";
import type { RunOptions } from "./run-options.js";

/** How a robot's run begins. */
export function newRun({ setup }: RobotState, message: string): NewRun {
	const { name, certainLabel: model } = setup.options;
	return { name, input: message, ...(model !== undefined && { model }) };
}

/** Publishes a run from its beginning to its end, whatever the end is. */
export async function runRobot(state: RobotState, message: string, options: RunOptions, run: RunPublisher): Promise<RobotResult> {
	const releaseServers = state.holdServers();
	try {
		const source = sourceOf(state, options, run);
		const { hooks } = source;
		const answer = (said: string): Promise<RobotResult> => answered(said, options, source, run);
		const result = hooks === undefined ? await answer(message) : await hooks.run("run", { message }, (set) => answer(set.message));
		run.end(endingOf(result, options.signal));
		return result;
	} catch (error) {
		run.end(failedEnding(error));
		throw error;
	} finally {
		releaseServers();
	}
}

/** The hooks of the process, of a robot and of what it does; `undefined` where there are none. */
export function hooksOf(
	{ setup }: RobotState,
	surroundings: HookSurroundings,
	{ hooks, inherited }: RunOptions = {},
): HookChain | undefined {
	const run = hooks === undefined ? undefined : checkHooks("run(), hooks", hooks);
	const network = inherited?.hooks === undefined ? undefined : checkHooks("run(), inherited.hooks", inherited.hooks);
	return HookChain.of({ network, robot: setup.hooks, run }, { robotName: setup.options.name, ...surroundings });
}

async function answered(message: string, options: RunOptions, source: RunSource, run: RunPublisher): Promise<RobotResult> {
	const startedAt = performance.now();
	const { state, stopReason } = await answerMessage(message, options, source, run);
	const { output, toolCalls, usage } = state;
	if (Object.keys(usage).length > 0) run.tell("usage.updated", { usageScope: "run", usage });
	return new RobotResult({
		id: randomUUID(),
		robotName: source.setup.options.name,
		...(state.data !== undefined && { data: frozenCopy(state.data) }),
		output: Object.freeze(output),
		toolCalls: Object.freeze(toolCalls),
		stopReason,
		createdAt: new Date(),
		inputTokens: usage.promptTokens,
		outputTokens: usage.completionTokens,
		durationMs: performance.now() - startedAt,
		[FROZEN_ALREADY]: true,
	});
}

function sourceOf(state: RobotState, options: RunOptions, { runId }: RunPublisher): RunSource {
	const { memory: given, signal } = options;
	const { setup, model, conversation, learnings, spending } = state;
	const memory = given === undefined ? state.memory : memoryForRun(state.memory, given, options.inherited?.writer);
	return { setup, model, conversation, memory, learnings, spending, hooks: hooksOf(state, { runId, signal, memory }, options) };
}
