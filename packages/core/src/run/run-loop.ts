import { BudgetExceededError } from "../errors/budget-exceeded-error.js";
import { costOf } from "../guard/pricing.js";
import { assistantText } from "../message/message.js";
import type { StopReason } from "../message/stop-reason.js";
import { sumUsage } from "../stream/token-usage.js";
import { askModel } from "./ask-model.js";
import { callTools, refuseCalls } from "./call-tools.js";
import { isWhole, keptContent, type Reply, stopReasonOf } from "./reply.js";
import { addMessage, type RunPorts, type RunState } from "./run-state.js";
import { tokenUsage } from "./token-usage.js";

/**
 * Asks the model and makes the calls it wants until it answers without any. After each step the state is a history that a model
 * accepts: every call in it has its result. Throws what the model failed with, once the retries are used up, and BudgetExceededError where nothing
 * is left for the first request.
 */
export async function runLoop(state: RunState, ports: RunPorts): Promise<StopReason> {
	for (let toolRounds = 0; ; toolRounds++) {
		const reply = await replyOrNone(state, ports, toolRounds);
		if (reply === undefined) return "budget";
		record(state, ports, reply);
		if (reply.calls.length === 0 || !isWhole(reply)) return stopReasonOf(reply);
		const verdict = verdictOn(reply, toolRounds, ports);
		if (verdict.stopReason !== undefined) {
			refuseCalls(reply.calls, state, ports, verdict.reason);
			return verdict.stopReason;
		}
		await callTools(reply.calls, state, ports, verdict.warning);
		if (ports.signal?.aborted) return "aborted";
	}
}

/** `undefined`: runs that share the budget have used up what was left when this one made its calls. */
async function replyOrNone(state: RunState, ports: RunPorts, toolRounds: number): Promise<Reply | undefined> {
	try {
		return await askModel(state, ports);
	} catch (error) {
		if (toolRounds > 0 && BudgetExceededError.isInstance(error)) return undefined;
		throw error;
	}
}

/** Whether the calls of a reply are made, and with which warning; or why the run ends instead. */
type Verdict =
	| { readonly stopReason: StopReason; readonly reason: string }
	| { readonly stopReason?: undefined; readonly warning: string | undefined };

function verdictOn({ calls }: Reply, toolRounds: number, { maxToolRounds, budget, doomLoop }: RunPorts): Verdict {
	if (toolRounds >= maxToolRounds) {
		return { stopReason: "tool_limit", reason: `this run's limit of ${maxToolRounds} rounds of tool calls is reached` };
	}
	if (budget?.exceeded !== undefined) return { stopReason: "budget", reason: "this robot's budget is used up" };
	const loop = doomLoop.note(calls);
	if (loop === "ok") return { warning: undefined };
	return "stop" in loop ? { stopReason: "doom_loop", reason: loop.stop } : loop;
}

function record(state: RunState, { run, modelLabel, pricing, noteUsage }: RunPorts, reply: Reply): void {
	const content = keptContent(reply);
	if (content.length > 0) addMessage(state, { role: "assistant", content });
	if (reply.text !== "") state.output.push(assistantText(reply.text));
	const reported = tokenUsage(reply.usage);
	if (reported === undefined) return;
	const costUsd = costOf(reported, pricing);
	const usage = costUsd === undefined ? reported : { ...reported, costUsd };
	state.usage = sumUsage([state.usage, usage]);
	noteUsage(usage);
	run.tell("usage.updated", { usageScope: "call", usage, model: modelLabel });
}
