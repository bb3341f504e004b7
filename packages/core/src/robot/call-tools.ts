import type { LanguageModelV4Message } from "@ai-sdk/provider";
import type { ToolCall, ToolResultMessage } from "../message/message.js";
import type { LifecycleReason } from "../stream/lifecycle-reason.js";
import { callTool } from "../tool/call-tool.js";
import type { ToolContext } from "../tool/tool.js";
import type { ToolOutcome } from "../tool/tool-outcome.js";
import type { RequestedCall } from "./reply.js";
import { addMessage, type RunPorts, type RunState } from "./run-state.js";

type ToolMessage = Extract<LanguageModelV4Message, { role: "tool" }>;

/** Makes the calls of one reply side by side; their results stand in the order of the calls. */
export async function callTools(calls: readonly RequestedCall[], state: RunState, ports: RunPorts): Promise<void> {
	const results = await Promise.all(calls.map((call) => callOne(call, ports)));
	recordResults(results, state);
}

/** Gives each call a result that says why it was not made. */
export function refuseCalls(calls: readonly RequestedCall[], state: RunState, reason: string): void {
	const refusal: ToolOutcome = { text: `Error (not run): ${reason}`, isError: true };
	recordResults(
		calls.map((call) => toMessage(call, refusal, 0)),
		state,
	);
}

async function callOne(call: RequestedCall, ports: RunPorts): Promise<ToolResultMessage> {
	const { emit } = ports;
	const { id, name } = call;
	if (emit !== undefined) {
		const skill = ports.skillOf.get(name);
		emit({ type: "tool_call_started", id, name, args: argsOf(call), ...(skill !== undefined && { skill }) });
	}
	const startedAt = performance.now();
	const outcome = await callTool(call, ports.tools, contextOf(call, ports));
	const durationMs = performance.now() - startedAt;
	const { text, isError, script } = outcome;
	emit?.({ type: "tool_call_ended", id, name, result: text, isError, durationMs, ...(script && { script }) });
	return toMessage(call, outcome, durationMs);
}

function contextOf({ id }: RequestedCall, { signal, emit }: RunPorts): ToolContext {
	return {
		...(signal && { signal }),
		...(emit && {
			onOutput: (chunk: string, stream: "stdout" | "stderr") => emit({ type: "tool_output", id, chunk, stream }),
			onLifecycle: (reason: LifecycleReason, detail?: object) => emit({ type: "tool_lifecycle", id, reason, ...(detail && { detail }) }),
		}),
	};
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
	const tool: ToolCall = { id: call.id, name: call.name, args: argsOf(call) };
	return { type: "tool_result", role: "tool_result", tool, content: outcome.text, isError: outcome.isError, durationMs };
}

const argsOf = ({ args }: RequestedCall): unknown => (args.ok ? args.value : args.raw);
