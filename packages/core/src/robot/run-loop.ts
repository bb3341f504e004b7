import { assistantText } from "../message/message.js";
import type { StopReason } from "../message/stop-reason.js";
import { sumUsage } from "../stream/token-usage.js";
import { callTools, refuseCalls } from "./call-tools.js";
import { isWhole, keptContent, type Reply, stopReasonOf } from "./reply.js";
import { requestReply } from "./request-reply.js";
import { addMessage, type RunPorts, type RunState } from "./run-state.js";
import { tokenUsage } from "./token-usage.js";

/**
 * Asks the model and makes the calls it wants until it answers without any. After each step the state is a history that a model
 * accepts: every call in it has its result. Throws what the model failed with, once the retries are used up.
 */
export async function runLoop(state: RunState, ports: RunPorts): Promise<StopReason> {
	for (let toolRounds = 0; ; toolRounds++) {
		const reply = await requestReply(state.prompt, ports);
		record(state, ports, reply);
		if (reply.calls.length === 0 || !isWhole(reply)) return stopReasonOf(reply);
		if (toolRounds >= ports.maxToolRounds) {
			refuseCalls(reply.calls, state, ports, `this run's limit of ${ports.maxToolRounds} rounds of tool calls is reached`);
			return "tool_limit";
		}
		await callTools(reply.calls, state, ports);
		if (ports.signal?.aborted) return "aborted";
	}
}

function record(state: RunState, { run, modelLabel }: RunPorts, reply: Reply): void {
	const content = keptContent(reply);
	if (content.length > 0) addMessage(state, { role: "assistant", content });
	if (reply.text !== "") state.output.push(assistantText(reply.text));
	const usage = tokenUsage(reply.usage);
	if (usage === undefined) return;
	state.usage = sumUsage([state.usage, usage]);
	run.tell("usage.updated", { usageScope: "call", usage, model: modelLabel });
}
