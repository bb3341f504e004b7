import type { LanguageModelV4Usage } from "@ai-sdk/provider";
import { assistantText } from "../message/message.js";
import type { StopReason } from "../message/stop-reason.js";
import { withUniqueCallIds } from "./call-ids.js";
import { callTools, refuseCalls } from "./call-tools.js";
import { isWhole, keptContent, type Reply, stopReasonOf } from "./reply.js";
import { requestReply } from "./request-reply.js";
import { addMessage, type RunPorts, type RunState } from "./run-state.js";

/**
 * Asks the model and makes the calls it wants until it answers without any. After each step the state is a history that a model
 * accepts: every call in it has its result. Throws what the model failed with, once the retries are used up.
 *
 * @param callIds The ids of all calls that the robot's history holds or will hold; this run's are added.
 */
export async function runLoop(state: RunState, ports: RunPorts, callIds: Set<string>): Promise<StopReason> {
	for (let toolRounds = 0; ; toolRounds++) {
		const received = await requestReply(state.prompt, ports);
		const reply = isWhole(received) ? withUniqueCallIds(received, callIds) : received;
		record(state, reply);
		if (reply.calls.length === 0 || !isWhole(reply)) return stopReasonOf(reply);
		if (toolRounds >= ports.maxToolRounds) {
			refuseCalls(reply.calls, state, `this run's limit of ${ports.maxToolRounds} rounds of tool calls is reached`);
			return "tool_limit";
		}
		await callTools(reply.calls, state, ports);
		if (ports.signal?.aborted) return "aborted";
	}
}

function record(state: RunState, reply: Reply): void {
	const content = keptContent(reply);
	if (content.length > 0) addMessage(state, { role: "assistant", content });
	if (reply.text !== "") state.output.push(assistantText(reply.text));
	addUsage(state, reply.usage);
}

function addUsage(state: RunState, usage: LanguageModelV4Usage | undefined): void {
	const input = usage?.inputTokens?.total;
	const output = usage?.outputTokens?.total;
	if (input !== undefined) state.inputTokens = (state.inputTokens ?? 0) + input;
	if (output !== undefined) state.outputTokens = (state.outputTokens ?? 0) + output;
}
