import type { LanguageModelV4Message } from "@ai-sdk/provider";
import type { ToolCall, ToolResultMessage } from "../message/message.js";
import type { CallContext } from "../tool/call-context.js";
import { type PublishedCall, publishCall, publishRefusedCall } from "../tool/publish-call.js";
import type { ToolOutcome } from "../tool/tool-outcome.js";
import { makeCall, writtenArgs } from "./make-call.js";
import type { RequestedCall } from "./reply.js";
import { addMessage, type RunPorts, type RunState } from "./run-state.js";

type ToolMessage = Extract<LanguageModelV4Message, { role: "tool" }>;

/**
 * Makes the calls of one reply side by side; their results stand in the order of the calls. Throws what the first of them raises, once all of them
 * are over, unless the run was aborted.
 *
 * @param warning What the model is told besides, below the last result.
 */
export async function callTools(
	calls: readonly RequestedCall[],
	state: RunState,
	ports: RunPorts,
	warning: string | undefined,
): Promise<void> {
	const last = calls.length - 1;
	const made = await Promise.all(calls.map((call, index) => callOne(call, ports, index === last ? warning : undefined)));
	recordResults(
		made.map(({ result }) => result),
		state,
	);
	// only now: every call has its result, and nothing runs on that nobody knows of
	const raised = made.find(({ outcome }) => outcome.raised !== undefined)?.outcome.raised;
	if (raised !== undefined && !ports.signal?.aborted) throw raised.error;
}

/** Gives each call a result that says why it was not made. */
export function refuseCalls(calls: readonly RequestedCall[], state: RunState, ports: RunPorts, reason: string): void {
	const refusal: ToolOutcome = { text: `Error (not run): ${reason}`, isError: true };
	for (const call of calls) publishRefusedCall(ports.run, publishedCall(call, ports), refusal);
	recordResults(
		calls.map((call) => toMessage(call, refusal, 0)),
		state,
	);
}

interface MadeCall {
	readonly outcome: ToolOutcome;
	readonly result: ToolResultMessage;
}

async function callOne(call: RequestedCall, ports: RunPorts, warning: string | undefined): Promise<MadeCall> {
	const make = async (context: CallContext): Promise<ToolOutcome> => {
		const outcome = await makeCall(call, ports, context);
		return warning === undefined ? outcome : { ...outcome, text: `${outcome.text}\n\n${warning}` };
	};
	ports.onToolCall?.(askedFor(call));
	const { outcome, durationMs } = await publishCall(ports.run, publishedCall(call, ports), make, ports.signal);
	const result = toMessage(call, outcome, durationMs);
	ports.onToolResult?.(result);
	return { outcome, result };
}

function publishedCall({ id, name }: RequestedCall, { tools }: RunPorts): PublishedCall {
	const skill = tools.skillOf.get(name);
	return { toolCallId: id, toolName: name, ...(skill !== undefined && { skill }) };
}

function recordResults(results: readonly ToolResultMessage[], state: RunState): void {
	state.toolCalls.push(...results);
	addMessage(state, { role: "tool", content: results.map(toPart) });
}

function toPart({ tool, content, isError }: ToolResultMessage): ToolMessage["content"][number] {
	return {
		type: "tool-result",
		toolCallId: tool.id,
		toolName: tool.name,
		output: { type: isError ? "error-text" : "text", value: content },
	};
}

function toMessage(call: RequestedCall, outcome: ToolOutcome, durationMs: number): ToolResultMessage {
	const { text: content, isError } = outcome;
	// listeners get it before the model does
	return Object.freeze({ type: "tool_result", role: "tool_result", tool: askedFor(call), content, isError, durationMs });
}

const askedFor = (call: RequestedCall): ToolCall => Object.freeze({ id: call.id, name: call.name, args: writtenArgs(call) });
