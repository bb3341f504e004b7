import { isDeepStrictEqual } from "node:util";
import { messageOf } from "../text/message-of.js";
import type { CallContext } from "../tool/call-context.js";
import { callTool } from "../tool/call-tool.js";
import { type ParsedToolInput, parseToolInput } from "../tool/parse-tool-input.js";
import type { ToolOutcome } from "../tool/tool-outcome.js";
import type { RequestedCall } from "./reply.js";
import type { RunPorts } from "./run-state.js";

/** Makes one call, with the hooks of the run around it. Never throws: what a hook throws is raised as what a tool raises is. */
export async function makeCall(call: RequestedCall, { tools, hooks, surroundings }: RunPorts, context: CallContext): Promise<ToolOutcome> {
	const within = { ...context, ...surroundings };
	const { id: toolCallId, name: toolName } = call;
	// the tool's own: what it changes there is no part of what the model wrote
	const own = parseToolInput(call.text);
	if (!hooks?.has("toolCall")) return callTool({ name: toolName, args: own }, tools.byName, within);
	const asked = writtenArgs(call);
	try {
		return await hooks.run("toolCall", { toolName, toolCallId, args: asked }, ({ args }) => {
			const input: ParsedToolInput = isDeepStrictEqual(args, asked) ? own : { ok: true, value: args };
			return callTool({ name: toolName, args: input }, tools.byName, within);
		});
	} catch (error) {
		return { text: `Error (${toolName}): ${messageOf(error)}`, isError: true, raised: { error } };
	}
}

/** The arguments as the model wrote them: parsed JSON, or the raw text where it was no JSON. */
export const writtenArgs = ({ args }: RequestedCall): unknown => (args.ok ? args.value : args.raw);
